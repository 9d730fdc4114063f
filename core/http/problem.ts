import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { ZodError } from "zod";
import { ERRORS, type ErrorCode, Refusal, toProblem } from "../../shared/errors.ts";
import type { Log } from "../context.ts";
import { invalidRequest } from "./invalid.ts";

/** Everything that goes wrong leaves as RFC 9457 `application/problem+json`. */

const RETRY_AFTER_DEFAULT_S = "1";

export function problemResponse(c: Context, refusal: Refusal, requestId: string): Response {
  const { status } = ERRORS[refusal.code];
  const body = toProblem(refusal.code, {
    requestId,
    detail: refusal.detail,
    facts: refusal.facts,
  });
  for (const [name, value] of Object.entries(refusal.headers)) c.header(name, value);
  if (status === 503 && refusal.headers["retry-after"] === undefined)
    c.header("retry-after", RETRY_AFTER_DEFAULT_S);
  c.header("cache-control", "no-store");
  c.header("content-type", "application/problem+json");
  return c.body(JSON.stringify(body), status);
}

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: "malformed_json",
  404: "not_found",
  405: "method_not_allowed",
  413: "body_too_large",
  415: "unsupported_media_type",
};

/** The framework's own refusals and ours become one kind; the rest is a bug. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof ZodError) return invalidRequest(error);
  if (error instanceof HTTPException) {
    const code = BY_STATUS[error.status];
    if (code) return new Refusal(code, { reason: error.message });
  }
  return undefined;
}

/** Expected refusals are a line, bugs are an error with their stack; the public hears one sentence. */
export function logRefusal(log: Log, refusal: Refusal): void {
  const line = { code: refusal.code, reason: refusal.reason };
  if (ERRORS[refusal.code].status >= 500) log.warn(line, "refused");
  else log.info(line, "refused");
}
