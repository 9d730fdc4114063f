import { Refusal } from "../../shared/errors.ts";
import type { Ctx } from "../context.ts";
import { fenceAttempt } from "../payments/resolve.ts";
import { appendPageEvents } from "./page-events.ts";

type Verdict =
  | { verdict: "cancelled"; event: string; freed: string[] }
  | { verdict: "already" }
  | { verdict: "in_flight"; attempt: string; ref: string; state: string }
  | { verdict: "not_cancellable"; state: string }
  | { verdict: "not_found" };

/**
 * Frees the seats at once. An attempt that may still charge is first cancelled at the provider, and
 * until the provider says "cancelled" nothing is given back.
 */
export async function cancelOrder(ctx: Ctx, order: string): Promise<void> {
  let answer = await ctx.db.call<Verdict>("cancel_order", [order]);
  if (answer.verdict === "in_flight") {
    const { attempt, ref } = answer;
    // A figure of its own: people who give up while we check are people who will press again elsewhere.
    await appendPageEvents(ctx, { order, events: [{ kind: "left_checking", attempt }] });
    const state = await fenceAttempt(ctx, { id: attempt, ref });
    if (state !== "failed") {
      throw new Refusal(state === "succeeded" ? "order_not_cancellable" : "attempt_in_flight", {
        facts: { attempt: { id: attempt, state } },
        ...(state === "succeeded" ? {} : { headers: { "retry-after": "2" } }),
      });
    }
    answer = await ctx.db.call<Verdict>("cancel_order", [order]);
  }
  switch (answer.verdict) {
    case "cancelled":
      ctx.live.publish({
        event: answer.event,
        seats: answer.freed.map((id) => ({ id, status: "available" })),
      });
      return;
    case "already":
      return;
    case "in_flight":
      throw new Refusal("attempt_in_flight", { headers: { "retry-after": "2" } });
    case "not_cancellable":
      throw new Refusal("order_not_cancellable", { facts: { state: answer.state } });
    case "not_found":
      throw new Refusal("not_found");
  }
}
