import type { HoldView } from "../../shared/contract/holds.ts";
import { Refusal } from "../../shared/errors.ts";
import { unreachable } from "../../shared/result.ts";
import type { Ctx, FanActor } from "../context.ts";

type Found =
  | { result: "live"; hold: HoldView }
  | { result: "not_found" | "hold_expired" | "hold_not_live" };

/** For whom it counts: anybody else is told what they would be told of a hold that never was. */
export async function readHold(ctx: Ctx<FanActor>, input: { hold: string }): Promise<HoldView> {
  const { event, subject } = ctx.actor;
  const found = await ctx.db.call<Found>("get_hold", [event, input.hold, subject]);
  switch (found.result) {
    case "live":
      return found.hold;
    case "not_found":
    case "hold_expired":
    case "hold_not_live":
      throw new Refusal(found.result);
    default:
      return unreachable(found);
  }
}
