import { ERRORS, Refusal, toProblem } from "../../shared/errors.ts";
import { ConfigError } from "../env.ts";

/**
 * Turns whatever was thrown into an RFC 9457 problem. Expected refusals say their code; anything else
 * is a bug or a dead part: 500 or 503, with nothing of it shown. The precise reason goes to the log.
 */
export function problemOf(error: unknown, requestId: string): Response {
  if (error instanceof Refusal) {
    if (error.reason) log("refused", { requestId, code: error.code, reason: error.reason });
    return problemResponse(error, requestId);
  }
  log("failed", {
    requestId,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  const refusal = isAway(error)
    ? new Refusal("unavailable", { headers: { "retry-after": "2" } })
    : new Refusal("internal");
  return problemResponse(refusal, requestId);
}

export function problemResponse(refusal: Refusal, requestId: string): Response {
  const problem = toProblem(refusal.code, {
    requestId,
    detail: refusal.detail,
    facts: refusal.facts,
  });
  return new Response(JSON.stringify(problem), {
    status: ERRORS[refusal.code].status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "x-request-id": requestId,
      ...refusal.headers,
    },
  });
}

/** A Durable Object that was reset or overloaded, or a host that does not answer: try again. */
function isAway(error: unknown): boolean {
  if (error instanceof ConfigError || !(error instanceof Error)) return false;
  const flags = error as Error & { retryable?: unknown; overloaded?: unknown; remote?: unknown };
  return (
    flags.retryable === true ||
    flags.overloaded === true ||
    error.name === "TimeoutError" ||
    /network connection lost|internal error; reference/i.test(error.message)
  );
}

/** One line of JSON each, so that any log collector can read it. */
export function log(what: string, facts: Record<string, unknown>): void {
  console.log(JSON.stringify({ what, ...facts }));
}
