import type { HoldView } from "../../shared/contract/holds.ts";
import { Refusal } from "../../shared/errors.ts";
import { unreachable } from "../../shared/result.ts";
import type { Ctx, FanActor } from "../context.ts";

type Extended =
  | { result: "extended" | "same"; hold: HoldView }
  | { result: "not_found" | "hold_expired" | "hold_not_live" };

/**
 * More time for its owner, who need not say why (WCAG 2.2.1): once, as long again as the hold was made
 * for, never past thirty minutes in all. Asked again it is the same hold, unmoved.
 */
export async function extendHold(ctx: Ctx<FanActor>, input: { hold: string }): Promise<HoldView> {
  const { event, subject, jti } = ctx.actor;
  const answer = await ctx.db.call<Extended>("extend_hold", [event, input.hold, subject, jti]);
  switch (answer.result) {
    case "extended":
    case "same":
      return answer.hold;
    case "not_found":
    case "hold_expired":
    case "hold_not_live":
      throw new Refusal(answer.result);
    default:
      return unreachable(answer);
  }
}
