import postgres from "postgres";
import { Refusal } from "../../shared/errors.ts";
import { SqlError } from "./db.ts";

/** Pure: what a failed statement means for the caller, and for the connection it ran on. */

/**
 * - `retry`: rolled back by the server, worth one more try.
 * - `cut`: rolled back by the server because of time or lack of room; the connection is good.
 * - `lost`: the connection is not to be used again, and the outcome of a change is not known.
 * - `sql`: the server refused the statement itself.
 */
export type Failure =
  | { kind: "retry"; error: SqlError }
  | { kind: "cut"; error: SqlError }
  | { kind: "lost"; message: string }
  | { kind: "sql"; error: SqlError };

const RETRY = new Set(["40P01", "40001"]);
/** query_canceled, lock_not_available, and the class "insufficient resources". */
const isCut = (state: string) => state === "57014" || state === "55P03" || state.startsWith("53");
/** Connection exceptions, shutdowns, idle time-outs, and a server that has become a replica. */
const isLost = (state: string) =>
  state.startsWith("08") ||
  state.startsWith("57P") ||
  state === "25P03" ||
  state === "25P04" ||
  state === "25006";

export function failureOf(error: unknown): Failure {
  if (!(error instanceof postgres.PostgresError))
    return { kind: "lost", message: error instanceof Error ? error.message : String(error) };
  const { code } = error;
  // FATAL and PANIC end the session, whatever their code.
  const fatal = error.severity === "FATAL" || error.severity === "PANIC";
  if (fatal || isLost(code)) return { kind: "lost", message: `${code} ${error.message}` };
  const own = new SqlError(error.message, { sqlState: code, constraint: error.constraint_name });
  if (RETRY.has(code)) return { kind: "retry", error: own };
  if (isCut(code)) return { kind: "cut", error: own };
  return { kind: "sql", error: own };
}

/**
 * A character that PostgreSQL cannot keep in a text (NUL, half of a surrogate pair): valid JSON, so it
 * comes through every schema, and it is the caller's mistake.
 */
export const isBadText = (error: SqlError): boolean =>
  error.sqlState === "22021" || error.sqlState === "22P05";

export const badText = (reason: string): Refusal =>
  new Refusal("invalid_request", {
    detail: "a text holds a character that cannot be kept",
    reason,
  });

/** Seconds, spread out so that the refused do not come back together. */
const retryAfter = (fromS: number, toS: number): Record<string, string> => ({
  "retry-after": String(fromS + Math.floor(Math.random() * (toS - fromS + 1))),
});

export const unavailable = (reason: string): Refusal =>
  new Refusal("unavailable", { reason, headers: retryAfter(1, 4) });

export const overloaded = (reason: string): Refusal =>
  new Refusal("overloaded", { reason, headers: retryAfter(1, 5) });

export const outcomeUnknown = (reason: string): Refusal =>
  new Refusal("outcome_unknown", { reason, headers: retryAfter(1, 3) });

export const conflictRetry = (reason: string): Refusal =>
  new Refusal("conflict_retry", { reason, headers: retryAfter(1, 2) });
