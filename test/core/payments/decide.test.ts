import { describe, expect, it } from "vitest";
import { attemptReply } from "../../../core/payments/attempt-reply.ts";
import {
  backoffMs,
  decideCancel,
  decideConfirm,
  decideInquiry,
  decideRefund,
} from "../../../core/payments/decide.ts";
import { FENCE_AFTER_NOT_CHARGED, FENCE_AFTER_NOT_FOUND } from "../../../core/payments/limits.ts";
import type { ChargeAnswer } from "../../../core/payments/provider.ts";

const succeeded: ChargeAnswer = { state: "succeeded", amount: 5, currency: "KWD" };
const unclear: ChargeAnswer[] = [
  { state: "created" },
  { state: "not_found" },
  { state: "unknown", reason: "TimeoutError" },
];

describe("the provider's answer", () => {
  it("to a confirm ends an attempt only when it is clear", () => {
    expect(decideConfirm(succeeded)).toEqual({ do: "succeed", amount: 5, currency: "KWD" });
    expect(decideConfirm({ state: "failed", reason: "stolen" })).toEqual({
      do: "fail",
      reason: "stolen",
    });
    for (const answer of unclear) expect(decideConfirm(answer)).toEqual({ do: "wait" });
  });

  it("to the first inquiry is never an end when it is negative", () => {
    for (const answer of unclear) expect(decideInquiry(answer, 0)).toEqual({ do: "wait" });
  });

  it("that stays negative leads to a fence, sooner for 'not charged' than for 'not found'", () => {
    const fencedAfter = (answer: ChargeAnswer) =>
      Array.from({ length: 10 }, (_, n) => n).findIndex(
        (n) => decideInquiry(answer, n).do === "fence",
      ) + 1;
    expect(fencedAfter({ state: "created" })).toBe(FENCE_AFTER_NOT_CHARGED);
    expect(fencedAfter({ state: "not_found" })).toBe(FENCE_AFTER_NOT_FOUND);
    expect(fencedAfter({ state: "unknown", reason: "reset" })).toBe(0);
  });

  it("to a cancel is a fence only when it says cancelled", () => {
    expect(decideCancel({ state: "cancelled" })).toEqual({ do: "fail", reason: "not_charged" });
    expect(decideCancel(succeeded).do).toBe("succeed");
    for (const answer of unclear) expect(decideCancel(answer)).toEqual({ do: "wait" });
  });

  it("to an inquiry about a refund that is not there lets it be sent, and nothing else does", () => {
    expect(decideRefund({ state: "not_found" })).toEqual({ do: "send" });
    expect(decideRefund({ state: "unknown", reason: "reset" })).toEqual({ do: "wait" });
  });
});

it("waits between inquiries grow, and the last one repeats", () => {
  expect([0, 1, 2, 3, 99].map((n) => backoffMs([1, 2, 4], n))).toEqual([1, 2, 4, 4, 4]);
});

describe("what the buyer is told", () => {
  const facts = { id: "att_1", order: "ord_1", reason: null, settled: null } as const;
  it.each([
    [{ ...facts, state: "created" }, 409, false],
    [{ ...facts, state: "sent" }, 409, false],
    [{ ...facts, state: "unknown" }, 202, false],
    [{ ...facts, state: "failed", reason: "card_declined" }, 402, true],
    [{ ...facts, state: "failed", reason: "hold_expired" }, 409, true],
    [{ ...facts, state: "succeeded" }, 202, false],
    [{ ...facts, state: "succeeded", settled: "review" }, 202, false],
    [{ ...facts, state: "succeeded", settled: "order" }, 201, true],
    [{ ...facts, state: "succeeded", settled: "refund" }, 409, true],
  ] as const)("of %o is %i", (state, status, final) => {
    const reply = attemptReply(state, "req_1");
    expect(reply).toMatchObject({ status, final });
    if (!final) expect(reply.headers["retry-after"]).toBeDefined();
  });
});
