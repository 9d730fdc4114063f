// The simulator's own books: charges, refunds and how often each was asked about. Pure state,
// no clock and no network of its own, so that what it recorded is a witness independent of the
// core that is being tested against it.
import { randomUUID } from "node:crypto";
import type { MethodId } from "./methods.ts";

export type ChargeState = "created" | "succeeded" | "failed" | "cancelled";

export type Charge = {
  id: string;
  reference: string;
  attempt: string;
  key: string;
  amount: number;
  currency: string;
  method: MethodId;
  instalments: number;
  state: ChargeState;
  reason?: string;
  refunded: number;
  calls: { create: number; confirm: number; inquire: number; cancel: number };
  confirmedAt?: number;
  hiddenUntil: number;
  /** The body as first sent under the idempotency key; another body under it is refused. */
  fingerprint: string;
};

export type Refund = {
  id: string;
  charge: string;
  key: string;
  amount: number;
  currency: string;
  state: "succeeded";
  at: number;
};

export type LedgerEntry = {
  type: "charge" | "refund";
  id: string;
  charge: string;
  reference: string;
  attempt: string;
  amount: number;
  currency: string;
  at: number;
};

export type NewCharge = Pick<
  Charge,
  "reference" | "attempt" | "key" | "amount" | "currency" | "method" | "instalments"
>;

type Created = { kind: "created" | "known"; charge: Charge } | { kind: "key_reused" };
type Refunded =
  | { kind: "created" | "known"; refund: Refund }
  | { kind: "key_reused" | "not_refundable" | "exceeds" };

export class Ledger {
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, Refund>();
  readonly entries: LedgerEntry[] = [];
  readonly #byKey = new Map<string, Charge>();
  readonly #refundByKey = new Map<string, Refund>();

  create(idempotencyKey: string, input: NewCharge): Created {
    const fingerprint = JSON.stringify(input);
    const known = this.#byKey.get(idempotencyKey);
    if (known !== undefined) {
      known.calls.create += 1;
      return known.fingerprint === fingerprint
        ? { kind: "known", charge: known }
        : { kind: "key_reused" };
    }
    const charge: Charge = {
      ...input,
      id: `ch_${randomUUID()}`,
      state: "created",
      refunded: 0,
      calls: { create: 1, confirm: 0, inquire: 0, cancel: 0 },
      hiddenUntil: 0,
      fingerprint,
    };
    this.#byKey.set(idempotencyKey, charge);
    this.charges.set(charge.id, charge);
    return { kind: "created", charge };
  }

  /** Ends a charge, once: whatever is not `created` any more stays as it is. */
  conclude(charge: Charge, outcome: "succeeded" | "failed", now: number, reason?: string): void {
    if (charge.state !== "created") return;
    charge.state = outcome;
    if (reason !== undefined) charge.reason = reason;
    if (outcome === "succeeded") {
      this.entries.push(this.#entry("charge", charge.id, charge, charge.amount, now));
    }
  }

  cancel(charge: Charge): boolean {
    if (charge.state === "created") charge.state = "cancelled";
    return charge.state === "cancelled";
  }

  refund(idempotencyKey: string, charge: Charge, amount: number, now: number): Refunded {
    const known = this.#refundByKey.get(idempotencyKey);
    if (known !== undefined) {
      return known.charge === charge.id && known.amount === amount
        ? { kind: "known", refund: known }
        : { kind: "key_reused" };
    }
    if (charge.state !== "succeeded") return { kind: "not_refundable" };
    if (charge.refunded + amount > charge.amount) return { kind: "exceeds" };
    const refund: Refund = {
      id: `re_${randomUUID()}`,
      charge: charge.id,
      key: idempotencyKey,
      amount,
      currency: charge.currency,
      state: "succeeded",
      at: now,
    };
    charge.refunded += amount;
    this.#refundByKey.set(idempotencyKey, refund);
    this.refunds.set(refund.id, refund);
    this.entries.push(this.#entry("refund", refund.id, charge, -amount, now));
    return { kind: "created", refund };
  }

  refundByKey(key: string): Refund | undefined {
    return this.#refundByKey.get(key);
  }

  #entry(
    type: LedgerEntry["type"],
    id: string,
    charge: Charge,
    amount: number,
    at: number,
  ): LedgerEntry {
    const { reference, attempt, currency } = charge;
    return { type, id, charge: charge.id, reference, attempt, amount, currency, at };
  }
}

/** A charge as the outside sees it. */
export function chargeView(charge: Charge) {
  const { id, reference, attempt, key, amount, currency, state, reason, refunded } = charge;
  return {
    id,
    reference,
    attempt,
    key,
    amount,
    currency,
    state,
    ...(reason === undefined ? {} : { reason }),
    refunded,
  };
}
