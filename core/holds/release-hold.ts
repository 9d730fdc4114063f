import { Refusal } from "../../shared/errors.ts";
import { unreachable } from "../../shared/result.ts";
import type { Ctx, FanActor } from "../context.ts";
import type { SoldOut } from "./sold-out.ts";

type Released =
  | { result: "released"; freed?: string[] }
  | { result: "not_found" | "hold_not_live" | "attempt_in_flight" };

/** The owner gives a hold back; doing so twice, or after its time, is the same. */
export async function releaseHold(
  ctx: Ctx<FanActor>,
  tools: { soldOut: SoldOut },
  input: { hold: string },
): Promise<void> {
  const { event, subject } = ctx.actor;
  const answer = await ctx.db.call<Released>("release_hold", [event, input.hold, subject]);
  switch (answer.result) {
    case "released":
      tools.soldOut.forget(event);
      ctx.live.publish({ event });
      return;
    case "not_found":
    case "hold_not_live":
    case "attempt_in_flight":
      throw new Refusal(answer.result);
    default:
      unreachable(answer);
  }
}
