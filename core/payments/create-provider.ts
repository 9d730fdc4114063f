import type { Config } from "../config.ts";
import { PAYMENT_TIMINGS } from "./limits.ts";
import type { PaymentProvider } from "./provider.ts";
import { createSimulatorProvider } from "./simulator.ts";
import { createStripeProvider } from "./stripe.ts";

/** The provider that the deployment chose; the configuration refuses the simulator in production. */
export function createPaymentProvider(config: Pick<Config, "payments">): PaymentProvider {
  const { payments } = config;
  switch (payments.provider) {
    case "simulator":
      return createSimulatorProvider({ ...payments, timings: PAYMENT_TIMINGS });
    case "stripe":
      return createStripeProvider({ ...payments, timings: PAYMENT_TIMINGS });
  }
}
