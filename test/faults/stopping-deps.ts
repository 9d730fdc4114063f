// In the place of `core/deps.ts` in a process with fail points: the same things, with a stop before
// and after each call that a payment is made of.
import type { Config } from "../../core/config.ts";
import type { Db } from "../../core/db/db.ts";
import { createDeps as createRealDeps } from "../../core/deps.ts";
import type { PaymentProvider } from "../../core/payments/provider.ts";
import { createSimulatorProvider } from "../../core/payments/simulator.ts";
import { FAULT_TIME_SCALE, scaledTimings } from "../core/payments/timings.ts";
import { reach, type Step, stepOfFunction } from "./steps.ts";

export { closeDeps, createLog } from "../../core/deps.ts";

async function around<T>(step: Step, act: () => Promise<T>): Promise<T> {
  await reach(`${step}.before`);
  const result = await act();
  await reach(`${step}.after`);
  return result;
}

function stoppingProvider(real: PaymentProvider): PaymentProvider {
  return {
    ...real,
    create: (charge) => around("create", () => real.create(charge)),
    confirm: (ref, requestId) => around("confirm", () => real.confirm(ref, requestId)),
    inquire: (ref) => around("inquire", () => real.inquire(ref)),
    cancel: (ref) => around("cancel", () => real.cancel(ref)),
    refund: (input) => around("refund", () => real.refund(input)),
  };
}

const stoppingDb = (real: Db): Db => ({
  ...real,
  call: (fn, args, options) => {
    const step = stepOfFunction(fn);
    return step === undefined
      ? real.call(fn, args, options)
      : around(step, () => real.call(fn, args, options));
  },
});

export async function createDeps(
  config: Config,
  own: Parameters<typeof createRealDeps>[1],
): ReturnType<typeof createRealDeps> {
  if (config.payments.provider !== "simulator") throw new Error("fail points need the simulator");
  const timings = scaledTimings(FAULT_TIME_SCALE);
  const payments = createSimulatorProvider({ ...config.payments, timings });
  const made = await createRealDeps(config, { ...own, payments: stoppingProvider(payments) });
  return { ...made, db: stoppingDb(made.db) };
}
