import { z } from "zod";
import { instantSchema, reasonSchema } from "./common.ts";

/** What the console shows and does about a whole sale. Amounts are minor units. */

type Money = { amount: number; currency: string };

/** `GET /v1/organizer/events/{event}/figures` */
export type SaleFigures = {
  at: string;
  state: "active" | "postponed" | "cancelled";
  zones: {
    id: string;
    name: string;
    kind: "seated" | "standing";
    price: Money;
    available: number;
    held: number;
    sold: number;
    blocked: number;
  }[];
  holds: { live: number; units: number; paying: number };
  orders: Record<string, number>;
  money: { currency: string; captured: number; refunded: number; refunding: number };
  payments: {
    unknown: number;
    oldestUnknownS: number;
    review: number;
    failed: number;
    succeeded: number;
  };
  tickets: Record<string, number>;
  /** Of the process that answered. */
  health: {
    database: {
      answeredMs: number;
      serviceMs: number;
      connections: number;
      busy: number;
      waiting: number;
      shed: number;
    };
    redis: { locks: boolean; cache: boolean };
    requests: { inFlight: number; p95Ms: number; errors: number; withinS: number };
  };
};

/** `GET /v1/organizer/events/{event}/history` */
export type SaleHistory = {
  minutes: { at: string; orders: number; captured: number; refunded: number }[];
};

/** `GET /v1/organizer/orders/{id}/history`, oldest first. */
export type OrderHistory = {
  entries: { at: string; kind: string; what: string; details: Record<string, unknown> }[];
};

/** `POST /v1/organizer/events/{event}/cancel` */
export const cancelEventSchema = z.strictObject({ reason: reasonSchema });
/** `POST /v1/organizer/events/{event}/postpone` */
export const postponeEventSchema = z.strictObject({
  startsAt: instantSchema,
  reason: reasonSchema,
});

/** How far an act over a whole event is. */
export type EventAct = {
  id: string;
  kind: "cancelled" | "postponed";
  reason: string;
  createdAt: string;
  orders: number;
  done: number;
  refunds: { succeeded: number; failed: number; open: number };
  mails: number;
};

/** `POST /v1/organizer/discrepancies/{id}` */
export const discrepancyActSchema = z.strictObject({
  do: z.enum(["repair", "refund", "dismiss"]),
  reason: reasonSchema,
});

export const REHEARSAL_FANS_MAX = 500;
/** `POST /v1/organizer/events/{event}/rehearsals` */
export const rehearsalSchema = z.strictObject({
  fans: z.int().min(1).max(REHEARSAL_FANS_MAX),
  /** All of them arrive within this time. */
  arriveMs: z.int().min(1_000).max(300_000),
  /** How many of a hundred close their tab and never come to the door. */
  absentPercent: z.int().min(0).max(90),
  /** How many of a hundred of those let in buy something. */
  buyPercent: z.int().min(0).max(100),
  reason: reasonSchema,
});
export type RehearsalPlan = z.infer<typeof rehearsalSchema>;

export type RehearsalReport = {
  joined: number;
  admitted: number;
  absent: number;
  bought: number;
  refused: number;
  /** From arrival or opening, whichever was later, to the door. */
  waitMs: { p50: number; p95: number; max: number };
  wrong: string[];
};

export type RehearsalView = {
  id: string;
  event: string;
  copy: string;
  state: "running" | "ended" | "failed";
  plan: Omit<RehearsalPlan, "reason">;
  report?: RehearsalReport;
  startedBy: string;
  startedAt: string;
  endedAt?: string;
};
