// What went wrong between us and Redis, in the words of `Away`.

import type { Away } from "./types.ts";

export class LinkError extends Error {
  readonly reason: Away["reason"];
  readonly maybeDone: boolean;
  constructor(reason: Away["reason"], detail: string, maybeDone = false) {
    super(detail);
    this.name = "LinkError";
    this.reason = reason;
    this.maybeDone = maybeDone;
  }
}

export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : String(error);

/** What an error of Redis or of the connection means; null: a bug of ours, to be thrown on. */
export function classify(error: unknown): { error: LinkError; drop: boolean } | null {
  if (error instanceof LinkError) return { error, drop: error.reason === "confused" };
  const text = messageOf(error);
  const code = text.split(" ", 1)[0] ?? "";
  const known = (reason: Away["reason"], drop: boolean, maybeDone = false) => ({
    error: new LinkError(reason, text, maybeDone),
    drop,
  });
  if (text.includes("timed out")) return known("timeout", true, true);
  switch (code) {
    case "READONLY":
    case "MASTERDOWN":
      return known("read_only", true);
    case "OOM":
      return known("out_of_memory", false);
    case "MOVED":
    case "ASK":
    case "CLUSTERDOWN":
    case "TRYAGAIN":
    case "LOADING":
    case "UNKILLABLE":
      return known("unreachable", true);
    case "BUSY":
    case "MISCONF":
    case "NOREPLICAS":
    case "NOAUTH":
    case "WRONGPASS":
    case "NOPERM":
      return known("refused", false);
    default:
      break;
  }
  // A script that failed before its first write because memory is full says so inside its own error.
  if (text.includes("OOM command not allowed")) return known("out_of_memory", false);
  if (text.includes("MISCONF") || text.includes("NOREPLICAS")) return known("refused", false);
  if (error instanceof Error && error.name === "ReplyError") return null;
  return known("unreachable", true, !text.includes("isn't writeable"));
}
