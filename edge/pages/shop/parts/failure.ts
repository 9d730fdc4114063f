import { ERRORS, type ErrorCode } from "../../../../shared/errors.ts";
import type { Reply } from "../../kit/api.ts";

type Failure = Exclude<Reply<unknown>, { kind: "ok" }>;

/** The code that a failed call stands for; a lost connection has one of its own. */
export type TroubleCode = ErrorCode | "network";

export function codeOf(reply: Failure): TroubleCode {
  if (reply.kind === "network") return "network";
  const { code } = reply.problem;
  return Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : "internal";
}
