import { z } from "zod";
import { turnstileAction } from "../../shared/turnstile-script.ts";
import type { Outbound } from "../http/outbound.ts";

/**
 * Cloudflare Turnstile as a challenge. A page of its own (`/check/{event}`) shows the widget with
 * `action` = event and `cData` = place, the queue page sends its token as `challenge`, and the server
 * asks the verifier.
 *
 * A verifier that does not answer is not a person that failed. The gate then offers proof of work
 * instead and says so in the room's figures (`decideChallenge`): a switch that everybody can see,
 * instead of a shut door or an open one.
 */

const TURNSTILE_URL = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const TOKEN_CHARS_MAX = 2_048;
/** After an answer that did not come, the next is tried this much later. */
export const VERIFIER_AWAY_MS = 15_000;

const answerSchema = z.object({
  success: z.boolean(),
  action: z.string().optional(),
  cdata: z.string().optional(),
  hostname: z.string().optional(),
  "error-codes": z.array(z.string()).optional(),
});

export type TurnstileVerdict = "passed" | "failed" | "away";

/** Our own mistakes (a wrong secret) and theirs are outages; only a judged token is a failure. */
const OURS = new Set(["missing-input-secret", "invalid-input-secret", "bad-request"]);

export async function verifyTurnstile(
  /** `url`: a stand-in for tests; Cloudflare's own when it is missing. */
  verifier: { url?: string; secret: string; fetch: Outbound },
  shown: { token: string; event: string; place: string; hostname: string },
): Promise<TurnstileVerdict> {
  if (shown.token === "" || shown.token.length > TOKEN_CHARS_MAX) return "failed";
  let answer: unknown;
  try {
    const response = await verifier.fetch(verifier.url ?? TURNSTILE_URL, {
      method: "POST",
      body: new URLSearchParams({ secret: verifier.secret, response: shown.token }),
    });
    if (!response.ok) {
      return "away";
    }
    answer = await response.json();
  } catch {
    return "away";
  }
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) return "away";
  const { success, action, cdata, hostname } = parsed.data;
  const codes = parsed.data["error-codes"] ?? [];
  if (!success)
    return codes.some((code) => OURS.has(code) || code === "internal-error") ? "away" : "failed";
  const isForThis =
    action === turnstileAction(shown.event) && cdata === shown.place && hostname === shown.hostname;
  return isForThis ? "passed" : "failed";
}

export type Offered =
  | { kind: "none" }
  | { kind: "pow"; because?: "verifier_away" }
  | { kind: "turnstile" };

/**
 * Pure: what a join is asked for. A place that is known is never asked again.
 * @param verifierAwayUntil ms since 1970; 0 while the verifier answers.
 */
export function decideChallenge(input: {
  setting: "none" | "pow" | "turnstile";
  isKnown: boolean;
  verifierAwayUntil: number;
  now: number;
}): Offered {
  if (input.isKnown || input.setting === "none") return { kind: "none" };
  if (input.setting === "pow") return { kind: "pow" };
  return input.verifierAwayUntil > input.now
    ? { kind: "pow", because: "verifier_away" }
    : { kind: "turnstile" };
}
