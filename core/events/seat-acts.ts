import type { Buyer } from "../../shared/contract/orders.ts";
import { Refusal } from "../../shared/errors.ts";
import { unreachable } from "../../shared/result.ts";
import { actorName, type Ctx, type OrganizerActor } from "../context.ts";

/** What an organizer does to single seats: off sale, back on sale, given away. All or nothing. */

type Act =
  | { result: "done" | "given"; seats: string[]; order?: string }
  | { result: "unknown_event" }
  | { result: "unknown_seat"; unknown: string[] }
  | { result: "seats_unavailable"; unavailable: string[] };

function seatsOf(ctx: Ctx<OrganizerActor>, event: string, act: Act): string[] {
  switch (act.result) {
    case "done":
    case "given":
      ctx.live.publish({ event });
      return act.seats;
    case "unknown_event":
      throw new Refusal("unknown_event");
    case "unknown_seat":
      throw new Refusal("unknown_seat", { facts: { unknown: act.unknown } });
    case "seats_unavailable":
      throw new Refusal("seats_unavailable", { facts: { unavailable: act.unavailable } });
    default:
      return unreachable(act);
  }
}

export async function blockSeats(
  ctx: Ctx<OrganizerActor>,
  input: { event: string; seats: readonly string[]; block: boolean; reason: string },
): Promise<{ seats: string[] }> {
  const act = await ctx.db.call<Act>("block_seats", [
    input.event,
    input.seats,
    input.block,
    actorName(ctx.actor),
    input.reason,
    ctx.requestId,
  ]);
  return { seats: seatsOf(ctx, input.event, act) };
}

export async function giveSeats(
  ctx: Ctx<OrganizerActor>,
  input: { event: string; seats: readonly string[]; buyer: Buyer; reason: string },
): Promise<{ order: string; seats: string[] }> {
  const order = ctx.ids.newId("ord");
  const act = await ctx.db.call<Act>("give_complimentary", [
    input.event,
    order,
    ctx.ids.newId("hold"),
    input.seats,
    input.buyer,
    actorName(ctx.actor),
    input.reason,
    ctx.requestId,
  ]);
  return { order, seats: seatsOf(ctx, input.event, act) };
}
