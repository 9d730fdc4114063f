import { z } from "@hono/zod-openapi";
import type { ErrorCode } from "../../shared/errors.ts";
import { problems } from "./describe.ts";
import type { Router } from "./router.ts";

export type CallDocument = {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** With `{id}` for parameters, as OpenAPI writes them. */
  path: string;
  summary: string;
  body?: z.ZodType;
  answers: Record<number, string>;
  refusals: ErrorCode[];
};

/**
 * Writes a call into the OpenAPI document without letting the framework read its body first: where
 * the credential decides what may be read, a stranger hears 401 and not what is wrong with a field.
 */
export function document(app: Router, call: CallDocument): void {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const params = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
  app.openAPIRegistry.registerPath({
    method: call.method,
    path: call.path,
    summary: call.summary,
    request: {
      ...(names.length === 0 ? {} : { params }),
      ...(call.body === undefined
        ? {}
        : { body: { content: { "application/json": { schema: call.body } }, required: true } }),
    },
    responses: {
      ...Object.fromEntries(
        Object.entries(call.answers).map(([status, description]) => [status, { description }]),
      ),
      ...problems(...call.refusals),
    },
  });
}
