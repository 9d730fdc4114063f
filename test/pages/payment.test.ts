// What a page does about a payment that it may have begun.
import { describe, expect, test } from "vitest";
import { decidePayment, isOver, type KeptAttempt } from "../../edge/pages/orders/attempt.ts";
import type { AttemptState, OrderView } from "../../shared/contract/orders.ts";

const order = (attempts: AttemptState[], state: OrderView["state"] = "pending"): OrderView => ({
  id: "ord_1",
  event: "e",
  state,
  total: { amount: 100, currency: "TRY" },
  hold: "hold_1",
  now: "2027-01-16T10:00:00Z",
  attempts: attempts.map((each, i) => ({ id: `att_${i}`, state: each })),
  lines: [],
});
const kept = (before: number): KeptAttempt => ({
  key: "k",
  method: "pm_ok",
  origin: "press",
  before,
});

describe("a payment", () => {
  test("may be begun when none is under way", () => {
    expect(decidePayment(order([]), undefined)).toEqual({ kind: "choose", failed: undefined });
    expect(decidePayment(order(["failed"]), undefined)).toEqual({ kind: "choose", failed: "" });
  });

  test("is never begun beside one whose end is not known", () => {
    for (const state of ["created", "sent", "unknown", "succeeded"] as const) {
      expect(decidePayment(order([state]), undefined).kind).toBe("checking");
      expect(decidePayment(order(["failed", state]), kept(1)).kind).toBe("checking");
    }
  });

  test("that never arrived is sent again as the very same attempt", () => {
    expect(decidePayment(order([]), kept(0))).toEqual({ kind: "send", attempt: kept(0) });
    expect(decidePayment(order(["failed"]), kept(1))).toEqual({ kind: "send", attempt: kept(1) });
  });

  test("that failed leaves the choice of another method", () => {
    expect(decidePayment(order(["failed"]), kept(0)).kind).toBe("choose");
    expect(isOver(order(["failed"]), kept(0))).toBe(true);
    expect(isOver(order(["unknown"]), kept(0))).toBe(false);
  });

  test("is over with its order", () => {
    for (const state of ["paid", "expired", "cancelled", "refunded"] as const) {
      expect(decidePayment(order([], state), kept(0)).kind).toBe("settled");
      expect(isOver(order([], state), kept(0))).toBe(true);
    }
  });
});
