import type { StatusDocument } from "../../../../shared/contract/queue.ts";
import type { End, Facts } from "../facts.ts";
import type { Drawing } from "../render.ts";

/** Every state of the page as plain facts: for the preview of a room's looks, and for tests. */

const MINUTE_MS = 60_000;
const ENDS: readonly End[] = [
  "unknown",
  "closed",
  "gone",
  "left",
  "moved",
  "pass",
  "challenge",
  "conflict",
  "too_late",
  "link",
  "insecure",
];
const TROUBLES = ["offline", "server", "restoring", "busy"] as const;

export type Shown = { facts: Facts; changes?: Partial<Pick<Drawing, "durable" | "inApp">> };

/** @param n the count that plural forms are tried with: ahead, seats, and people in the draw. */
export function statesAt(now: number, n = 1_240): Readonly<Record<string, Shown>> {
  const iso = (ms: number) => new Date(now + ms).toISOString();
  const status: StatusDocument = {
    event: "preview",
    epoch: 1,
    v: 1,
    phase: "open",
    stale: false,
    opensAt: iso(-20 * MINUTE_MS),
    now: iso(0),
    pool: { count: n + 1 },
    issued: 48_200,
    calling: 1_830,
    waiting: 46_370,
    inside: 900,
    admitted: 1_800,
    ratePerMinute: 100,
    measuredPerMinute: n,
    wait: { perThousandMs: 600_000, low: 500_000, high: 700_000 },
    seats: { available: n, held: n, sold: 900 },
    poll: { nearMs: 2_000, farMs: 30_000, nearAhead: 20 },
    early: "draw",
    binding: "dpop",
    tiers: [
      { id: "a", name: "Parterre", price: { amount: 9_500, currency: "EUR" }, soldOut: false },
      { id: "b", name: "Balkon", price: { amount: 4_500, currency: "EUR" }, soldOut: true },
    ],
    branding: {
      name: "Deniz Aydın",
      venue: "Harbiye",
      startsAt: iso(30 * 24 * 60 * MINUTE_MS),
      timeZone: "Europe/Istanbul",
    },
  };
  const place = {
    id: "plc_00_preview",
    event: "preview",
    joinedAt: iso(-30 * MINUTE_MS),
    index: 4,
  };
  const token = `x.${btoa(JSON.stringify({ exp: Math.floor(now / 1_000) + 172_800 }))}.x`;
  const facts: Facts = {
    event: "preview",
    status,
    place,
    token,
    number: status.calling + n + 1,
    failures: 0,
    heardAt: now - 4_000,
  };
  const but = (changes: Partial<Facts>): Shown => ({ facts: { ...facts, ...changes } });
  const at = (changes: Partial<StatusDocument>, more: Partial<Facts> = {}): Shown =>
    but({ status: { ...status, ...changes }, ...more });
  const { number: _, ...unnumbered } = facts;
  const { wait: __, ...withoutWait } = status;
  const before = { phase: "upcoming", opensAt: iso(3 * 60 * MINUTE_MS), calling: 0 } as const;
  return {
    loading: { facts: { event: "preview", failures: 0 } },
    early: at({ ...before, early: "fifo" }),
    pool: { facts: { ...unnumbered, status: { ...status, ...before } } },
    drawing: { facts: { ...unnumbered, status: { ...status, phase: "drawing", calling: 0 } } },
    drawing_beacon: {
      facts: {
        ...unnumbered,
        status: {
          ...status,
          phase: "drawing",
          calling: 0,
          reason: "awaiting_round",
          pool: { count: n, beacon: { kind: "drand", round: 12_345, at: iso(9_000) } },
        },
      },
    },
    kept: { facts: unnumbered },
    waiting: but({}),
    waiting_unsure: at({ wait: { perThousandMs: 600_000, low: 200_000, high: 2_700_000 } }),
    waiting_unknown: but({
      status: { ...withoutWait, measuredPerMinute: 0, reason: "no_capacity_report" },
    }),
    near: but({ number: status.calling + 4 }),
    ready: but({ number: status.calling, door: "ready" }),
    going: but({ number: status.calling, door: "admitted", continueTo: "/shop/preview" }),
    missed: but({ number: status.calling - 3, missed: true, door: "waiting" }),
    paused: at({ phase: "paused", reason: "—" }),
    baskets: at({ reason: "all_in_baskets" }),
    notice: at({ notice: "—" }),
    sold_out: at({ phase: "sold_out" }),
    ...Object.fromEntries(ENDS.map((end) => [end, but({ end, check: true })])),
    ...Object.fromEntries(TROUBLES.map((trouble) => [trouble, but({ trouble, failures: 2 })])),
    stale: at({ stale: true }),
    no_storage: { facts, changes: { durable: false } },
    in_app: { facts, changes: { inApp: true } },
  };
}
