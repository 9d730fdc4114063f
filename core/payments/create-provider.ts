import { assert } from "../../shared/result.ts";
import type { Config } from "../config.ts";
import { PAYMENT_TIMINGS } from "./limits.ts";
import type { PaymentProvider } from "./provider.ts";
import { createSimulatorProvider } from "./simulator.ts";

/** The provider that the deployment chose; the configuration refuses the simulator in production. */
export function createPaymentProvider(config: Pick<Config, "payments">): PaymentProvider {
  const { payments } = config;
  assert(payments.provider === "simulator", "the chosen payment provider has an adapter");
  return createSimulatorProvider({ ...payments, timings: PAYMENT_TIMINGS });
}
