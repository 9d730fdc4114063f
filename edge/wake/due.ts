import type { StatusDocument } from "../../shared/contract/queue.ts";

/** Up to which number people are to be told, and what. Pure. */

/** A phone in a pocket needs longer than a page in front of somebody. */
const PUSH_AHEAD_MS = 5 * 60_000;
/** And a mail is looked at later still. */
const MAIL_AHEAD_MS = 15 * 60_000;

export type Due = { called: number; nearPush: number; nearMail: number };

/** `over`: nobody will be called any more, and nothing is kept. `undefined`: nobody can say just now. */
export function decideDue(status: StatusDocument): Due | "over" | undefined {
  const { phase, stale, calling, wait, poll } = status;
  if (phase === "closed") return "over";
  // What may be old wakes nobody: a false "your turn" is worse than a late one.
  if (phase !== "open" || stale) return undefined;
  const within = (ms: number) => {
    const ahead = wait && wait.perThousandMs > 0 ? (ms * 1_000) / wait.perThousandMs : 0;
    return calling + Math.floor(Math.max(ahead, poll.nearAhead));
  };
  return {
    called: calling,
    nearPush: within(PUSH_AHEAD_MS),
    nearMail: within(MAIL_AHEAD_MS),
  };
}
