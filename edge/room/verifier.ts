import type { RoomCore } from "./core.ts";

/**
 * The verifier of `challenge: turnstile` does not answer, and joins are asked for proof of work until
 * it is tried again. Figures show it as long as it lasts; the log says when each outage began.
 */
const AWAY_MS_MAX = 60_000;

export function noteVerifierAway(room: RoomCore, until: number, now: number): void {
  const begins = room.verifierAwayUntil <= now;
  room.verifierAwayUntil = Math.max(room.verifierAwayUntil, Math.min(until, now + AWAY_MS_MAX));
  if (!begins) return;
  room.ledger.audit({
    at: now,
    actor: "gate",
    action: "verifier_away",
    reason: "Turnstile did not answer; joins are asked for proof of work instead.",
  });
}
