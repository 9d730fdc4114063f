import { z } from "zod";
import { ERRORS, type ErrorCode } from "../../../shared/errors.ts";
import { FAN_REPLIES } from "../replies/fans.ts";
import { ORGANIZER_REPLIES } from "../replies/organizers.ts";
import { SALE_REPLIES } from "../replies/sales.ts";
import { FAN_EXAMPLES } from "./fans.ts";
import { ORGANIZER_EXAMPLES } from "./organizers.ts";
import type { Examples } from "./parts.ts";
import { SALE_EXAMPLES } from "./sales.ts";

/**
 * Puts an example, and the schema that it is an example of, to every call of the OpenAPI document.
 * Pure. The schemas of replies are the contract's own (`../replies/`); a test holds the examples here and
 * the replies of a running core against them.
 */

export const EXAMPLES: Examples = { ...FAN_EXAMPLES, ...ORGANIZER_EXAMPLES, ...SALE_EXAMPLES };

const REPLIES = { ...FAN_REPLIES, ...ORGANIZER_REPLIES, ...SALE_REPLIES };

type Content = Record<string, { schema?: unknown; example?: unknown }>;
type Operation = {
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; content?: Content }>;
};
type Document = { paths?: Record<string, unknown> };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const problemSchema = z.looseObject({
  type: z.string().startsWith("urn:sira:problem:"),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string().optional(),
  requestId: z.string(),
});

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
  return rest;
}

/** A problem, by the first code that the description of this status names. */
function problemOf(status: string, description = ""): Content | undefined {
  const [, code = ""] = /`(\w+)`/.exec(description) ?? [];
  const isCode = (text: string): text is ErrorCode => text in ERRORS;
  if (Number(status) < 400 || !isCode(code)) return undefined;
  const example = {
    type: `urn:sira:problem:${code}`,
    title: ERRORS[code].title,
    status: ERRORS[code].status,
    code,
    detail: "what about this very request, where there is more to say",
    requestId: "req_srF_rE9FcSQNnrmF9cEV7A",
  };
  return {
    "application/problem+json": { schema: jsonSchema(problemSchema), example },
  };
}

function illustrate(operation: Operation, name: string): void {
  const { body, replies = {} } = EXAMPLES[name] ?? {};
  for (const content of Object.values(operation.requestBody?.content ?? {}))
    if (body !== undefined) content.example = body;
  for (const [status, response] of Object.entries(operation.responses)) {
    const schema = REPLIES[name]?.[Number(status)];
    const content =
      typeof schema === "string"
        ? { [schema]: { schema: { type: "string" } } }
        : schema === undefined
          ? problemOf(status, response.description)
          : {
              "application/json": {
                schema: jsonSchema(schema),
                example: replies[Number(status)],
              },
            };
    if (content) response.content = content;
  }
}

/** A copy of the document with examples; operations are named `GET /v1/events`. */
export function withExamples<Given extends object>(document: Given): Given & Document {
  const copy: Given & { paths?: Record<string, Record<string, Operation>> } =
    structuredClone(document);
  for (const [path, item] of Object.entries(copy.paths ?? {}))
    for (const [method, operation] of Object.entries(item))
      if (isObject(operation) && "responses" in operation)
        illustrate(operation, `${method.toUpperCase()} ${path}`);
  return copy;
}
