import { accountJobs } from "./accounts/jobs.ts";
import { codeMailHandler } from "./accounts/mail-code.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { admissionRoutes } from "./admission/routes.ts";
import { linksMailHandler } from "./buyers/ask-links.ts";
import { buyerRoutes } from "./buyers/routes.ts";
import { cartRoutes } from "./carts/routes.ts";
import { checkinRoutes } from "./checkin/routes.ts";
import type { Deps } from "./context.ts";
import type { EventViews } from "./events/event-views.ts";
import { organizerEventRoutes } from "./events/organizer-routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { healthRoutes } from "./health/routes.ts";
import { holdRoutes } from "./holds/routes.ts";
import { holdJobs } from "./holds/sweep-holds.ts";
import type { Load } from "./http/load.ts";
import type { Router } from "./http/router.ts";
import type { Job, OutboxHandler } from "./jobs/registry.ts";
import { presenceRoutes } from "./live/presence.ts";
import { liveRoutes } from "./live/routes.ts";
import { mailHandlers } from "./mail/handlers.ts";
import { oidcRoutes } from "./oidc/routes.ts";
import { organizerOrderRoutes } from "./orders/organizer-routes.ts";
import { orderRoutes } from "./orders/routes.ts";
import { orderPageHandler } from "./orders/told.ts";
import { organizerRoutes } from "./organizers/routes.ts";
import { incidentRoutes } from "./payments/incident-routes.ts";
import { paymentJobs } from "./payments/jobs.ts";
import { organizerPaymentRoutes } from "./payments/organizer-routes.ts";
import { paymentRoutes } from "./payments/routes.ts";
import { rehearsalJobs, rehearsalRoutes } from "./rehearsals/routes.ts";
import { saleRoutes } from "./sales/routes.ts";
import { seatRoutes } from "./seats/routes.ts";
import { ticketRoutes } from "./tickets/routes.ts";
import { webhookHandlers } from "./webhooks/handlers.ts";
import { webhookJobs } from "./webhooks/jobs.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

/** Everything that plugs into the app and the scheduler, in the order of a fan's walk. */

export function nounRoutes(deps: Deps, views: EventViews, load: Load): Router[] {
  return [
    healthRoutes(deps),
    eventRoutes(views),
    seatRoutes(deps),
    accountRoutes(deps),
    admissionRoutes(deps),
    holdRoutes(deps),
    liveRoutes(deps, views),
    presenceRoutes(deps, views),
    cartRoutes(deps),
    buyerRoutes(deps),
    orderRoutes(deps),
    organizerOrderRoutes(deps),
    paymentRoutes(deps),
    organizerPaymentRoutes(deps),
    incidentRoutes(deps),
    ticketRoutes(deps),
    checkinRoutes(deps),
    organizerRoutes(deps),
    webhookRoutes(deps),
    organizerEventRoutes(deps, views),
    saleRoutes(deps, views, load),
    rehearsalRoutes(deps),
    oidcRoutes(deps),
  ];
}

export const nounJobs: readonly Job[] = [
  ...holdJobs,
  ...paymentJobs,
  ...accountJobs,
  ...webhookJobs,
  ...rehearsalJobs,
];

export const nounHandlers: readonly OutboxHandler[] = [
  orderPageHandler,
  ...mailHandlers,
  codeMailHandler,
  linksMailHandler,
  ...webhookHandlers,
];
