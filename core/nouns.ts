import { admissionRoutes } from "./admission/routes.ts";
import { cartRoutes } from "./carts/routes.ts";
import type { Deps } from "./context.ts";
import { healthRoutes } from "./health/routes.ts";
import type { Router } from "./http/router.ts";
import type { Job, OutboxHandler } from "./jobs/registry.ts";
import { presenceRoutes } from "./live/presence.ts";
import { liveRoutes } from "./live/routes.ts";
import { mailHandlers } from "./mail/handlers.ts";
import { orderRoutes } from "./orders/routes.ts";
import { organizerRoutes } from "./organizers/routes.ts";
import { paymentJobs } from "./payments/jobs.ts";
import { paymentRoutes } from "./payments/routes.ts";
import { ticketRoutes } from "./tickets/routes.ts";

/** Everything that plugs into the app and the scheduler, in the order of a fan's walk. */

export const nounRoutes = (deps: Deps): Router[] => [
  healthRoutes(deps),
  admissionRoutes(deps),
  liveRoutes(deps),
  presenceRoutes(deps),
  cartRoutes(deps),
  orderRoutes(deps),
  paymentRoutes(deps),
  ticketRoutes(deps),
  organizerRoutes(deps),
];

export const nounJobs: readonly Job[] = [...paymentJobs];

export const nounHandlers: readonly OutboxHandler[] = [...mailHandlers];
