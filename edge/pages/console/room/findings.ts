import type { EventView } from "../../../../shared/contract/events.ts";
import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import type { Figures, RoomView } from "../calls/room.ts";

/** What is not ready yet for the sale. Pure; each finding has a sentence of its own. */

export type Finding =
  | "no_room"
  | "nothing_to_sell"
  | "no_price"
  | "opens_apart"
  | "sale_in_past"
  | "closes_before_end"
  | "cap_below_rate"
  | "rate_above_capacity"
  | "session_shorter_than_hold"
  | "no_capacity_report"
  | "store_down"
  | "redis_down"
  | "binding_none"
  | "no_beacon"
  | "no_challenge"
  | "no_branding"
  | "event_over"
  | "cancelled"
  | "never_rehearsed";
export type Weight = "bad" | "slow";
export type Found = { finding: Finding; weight: Weight };

type Facts = {
  event: EventView;
  room: RoomView | undefined;
  figures: Figures | undefined;
  sale: SaleFigures | undefined;
  rehearsed: boolean;
  now: number;
};

const APART_MS = 60_000;
const REPORT_MS_MAX = 10_000;

export function preSaleCheck(facts: Facts): Found[] {
  const { event, room, figures, sale, now } = facts;
  const found: Found[] = [];
  const bad = (is: boolean, finding: Finding) => is && found.push({ finding, weight: "bad" });
  const slow = (is: boolean, finding: Finding) => is && found.push({ finding, weight: "slow" });
  bad(sale?.state === "cancelled", "cancelled");
  bad(Date.parse(event.startsAt) <= now, "event_over");
  const tickets = (sale?.zones ?? []).reduce((sum, zone) => sum + zone.available, 0);
  bad(sale !== undefined && tickets === 0, "nothing_to_sell");
  slow(
    event.zones.some(({ price }) => price.amount === 0),
    "no_price",
  );
  bad(sale !== undefined && !(sale.health.redis.locks && sale.health.redis.cache), "redis_down");
  if (room === undefined) {
    bad(true, "no_room");
    return found;
  }
  const opens = Date.parse(room.opensAt);
  bad(Math.abs(opens - Date.parse(event.saleOpensAt)) > APART_MS, "opens_apart");
  slow(room.phase === "upcoming" && opens <= now, "sale_in_past");
  const closes = event.saleClosesAt;
  bad(
    closes !== undefined &&
      room.closesAt !== undefined &&
      Date.parse(room.closesAt) > Date.parse(closes),
    "closes_before_end",
  );
  slow(room.activeMax < (room.ratePerMinute * room.sessionMs) / 60_000 / 4, "cap_below_rate");
  slow(room.sessionMs < event.holdMs, "session_shorter_than_hold");
  bad(figures !== undefined && !figures.store.ok, "store_down");
  const { capacity } = figures ?? {};
  // The core reports only of events whose sale is near.
  const isNear = Date.parse(event.saleOpensAt) - now < 600_000;
  bad(
    isNear && (capacity === undefined || now - Date.parse(capacity.at) > REPORT_MS_MAX),
    "no_capacity_report",
  );
  slow(
    capacity !== undefined && room.ratePerMinute > capacity.limitPerMinute,
    "rate_above_capacity",
  );
  slow(room.binding === "none", "binding_none");
  slow(room.early === "draw" && room.beacon.kind === "none", "no_beacon");
  slow(room.challenge === "none" && room.entry === "open", "no_challenge");
  slow(room.branding.name === undefined, "no_branding");
  slow(!facts.rehearsed, "never_rehearsed");
  return found;
}
