import type { Db } from "../db/db.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import type { Tracing } from "./tracing.ts";

/** What leaves the process, each call a span of its own; nothing else about it changes. */

export const tracedDb = (db: Db, tracing: Tracing): Db => ({
  ...db,
  call: (fn, args, options) =>
    tracing.span(`postgres ${fn}`, { "db.system.name": "postgresql" }, () =>
      db.call(fn, args, options),
    ),
});

export function tracedPayments(payments: PaymentProvider, tracing: Tracing): PaymentProvider {
  const said = <T>(what: string, work: () => Promise<T>): Promise<T> =>
    tracing.span(`provider ${what}`, { "sira.provider": payments.name }, work);
  return {
    ...payments,
    create: (charge) => said("create", () => payments.create(charge)),
    confirm: (ref, requestId, instalments) =>
      said("confirm", () => payments.confirm(ref, requestId, instalments)),
    inquire: (ref) => said("inquire", () => payments.inquire(ref)),
    cancel: (ref) => said("cancel", () => payments.cancel(ref)),
    refund: (input) => said("refund", () => payments.refund(input)),
  };
}
