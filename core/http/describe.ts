import type { createRoute } from "@hono/zod-openapi";
import { ERRORS, type ErrorCode } from "../../shared/errors.ts";

type Responses = Parameters<typeof createRoute>[0]["responses"];

/**
 * The refusals of a route for the OpenAPI document, grouped by status:
 * `responses: { 201: {…}, ...problems("seats_unavailable", "sold_out") }`.
 */
export function problems(...codes: ErrorCode[]): Responses {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: `Problem: ${list.map((code) => `\`${code}\` ${ERRORS[code].title}`).join(" · ")}`,
      },
    ]),
  );
}
