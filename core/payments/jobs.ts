import type { Job } from "../jobs/registry.ts";
import { runOrderExpiry } from "../orders/expire-orders.ts";
import { runPaymentFigures } from "./figures.ts";
import { runIncidents } from "./incidents.ts";
import { runNightlyReconciliation } from "./nightly.ts";
import { runRefunds } from "./refunds.ts";
import { runMorningReport } from "./report.ts";
import { runAttemptResolver } from "./resolve.ts";
import { runSettlement } from "./settle.ts";
import { runParkedWebhooks } from "./webhooks.ts";

const SECOND_MS = 1_000;

/** Each is safe beside itself in other processes: rows are claimed with a lease. */
export const paymentJobs: Job[] = [
  { name: "attempt-resolver", everyMs: SECOND_MS, run: runAttemptResolver },
  { name: "settlement", everyMs: 2 * SECOND_MS, run: runSettlement },
  { name: "refunds", everyMs: 2 * SECOND_MS, run: runRefunds },
  { name: "incidents", everyMs: SECOND_MS, run: runIncidents },
  { name: "order-expiry", everyMs: 5 * SECOND_MS, run: runOrderExpiry },
  { name: "payment-figures", everyMs: 15 * SECOND_MS, run: runPaymentFigures },
  { name: "reconciliation", everyMs: 60 * SECOND_MS, run: runNightlyReconciliation },
  { name: "morning-report", everyMs: 60 * SECOND_MS, run: runMorningReport },
  { name: "parked-webhooks", everyMs: 60 * SECOND_MS, run: runParkedWebhooks },
];
