// Writes a verdict down and, after a success, lets it buy its order.
import type { Ctx } from "../context.ts";
import type { AttemptVerdict } from "./decide.ts";
import { trySettleOrder } from "./settle.ts";

type Recorded = { changed: boolean; state: AttemptState; order: string };
export type AttemptState = "created" | "sent" | "succeeded" | "failed" | "unknown";

/**
 * @param nextMs when to ask again if there is no answer yet.
 * @param cause why there is no answer, where there is none.
 * @returns the attempt's state now, which an earlier word of the provider may have decided already.
 */
export async function recordVerdict(
  ctx: Ctx,
  attempt: string,
  verdict: Exclude<AttemptVerdict, { do: "fence" }>,
  nextMs: number,
  cause: string | null = null,
): Promise<AttemptState> {
  switch (verdict.do) {
    case "succeed": {
      const { amount, currency } = verdict;
      const recorded = await ctx.db.call<Recorded>("record_attempt_success", [
        attempt,
        amount,
        currency,
      ]);
      await trySettleOrder(ctx, recorded.order);
      return recorded.state;
    }
    case "fail":
      return (await ctx.db.call<Recorded>("record_attempt_failure", [attempt, verdict.reason]))
        .state;
    case "wait":
      return (await ctx.db.call<Recorded>("record_attempt_unknown", [attempt, nextMs, cause]))
        .state;
  }
}
