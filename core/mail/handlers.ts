import { z } from "zod";
import type { JobCtx, OutboxEvent, OutboxHandler } from "../jobs/registry.ts";
import { signOrderToken } from "../orders/token.ts";
import { signTicketToken, ticketUrl } from "../tickets/holder.ts";
import { listTickets, readTicket } from "../tickets/list-tickets.ts";
import { composeEventActMail } from "./compose-event-act.ts";
import { composeIncidentMail } from "./compose-incident.ts";
import { composeRefundMail } from "./compose-refund.ts";
import { composeTicketsMail } from "./compose-tickets.ts";
import { composeTransferMail } from "./compose-transfer.ts";
import { ORDER_FACTS, type OrderFacts, TRANSFER_FACTS, type TransferFacts } from "./queries.ts";
import { sendOnce } from "./send-once.ts";

/** Mails that follow from what happened to an order. */

const paidSchema = z.object({ order: z.string() });
const refundedSchema = z.object({
  refund: z.string(),
  amount: z.int(),
  currency: z.string(),
  reason: z.string(),
});

const transferredSchema = z.object({ ticket: z.string(), issue: z.int() });

const incidentSchema = z.object({
  incident: z.string(),
  amount: z.int(),
  currency: z.string(),
  voucher: z.string().nullable(),
});

const eventActSchema = z.object({
  incident: z.string(),
  amount: z.int(),
  currency: z.string().nullable(),
  reason: z.string(),
});

/** `undefined`: nobody to write to (given away at the door, or erased since). */
async function factsOf(
  ctx: JobCtx,
  order: string,
): Promise<(OrderFacts & { email: string }) | undefined> {
  const [facts] = await ctx.db.read<OrderFacts>(ORDER_FACTS, [order]);
  const email = facts?.email;
  return facts === undefined || email === null || email === undefined
    ? undefined
    : { ...facts, email };
}

/** The order's page; the token is in the fragment, which no server and no log ever sees. */
export const orderUrl = (edgeOrigin: string, order: string, token: string): string =>
  `${edgeOrigin}/orders/${order}#token=${token}`;

const messageIdOf = (ctx: JobCtx, what: string): string =>
  `<${what}@${ctx.mailer?.domain ?? "localhost"}>`;

/** The first mail has the order in its Message-ID; one asked for again has the asking's own id. */
async function mailTickets(ctx: JobCtx, event: OutboxEvent): Promise<void> {
  const { order } = paidSchema.parse(event.payload);
  const facts = await factsOf(ctx, order);
  if (facts === undefined) return;
  const tickets = await listTickets(ctx, order);
  const mail = await composeTicketsMail({
    facts,
    // A ticket that was handed on is listed, and its code is somebody else's.
    codes: new Map(tickets.flatMap(({ id, code }) => (code === "" ? [] : [[id, code]]))),
    orderUrl: orderUrl(ctx.config.edgeOrigin, order, await signOrderToken(ctx, order)),
    messageId: messageIdOf(ctx, event.kind === "order.paid" ? `tickets.${order}` : event.id),
    madeAt: new Date(ctx.clock.now()).toISOString(),
  });
  const { requestId } = facts;
  await sendOnce(
    ctx,
    { ...mail, ...(requestId === null ? {} : { requestId }) },
    { kind: "tickets", order, outbox: event.id },
  );
}

async function mailRefund(ctx: JobCtx, event: OutboxEvent): Promise<void> {
  const { refund, amount, currency, reason } = refundedSchema.parse(event.payload);
  const facts = event.order === undefined ? undefined : await factsOf(ctx, event.order);
  if (facts === undefined) return;
  const [row] = await ctx.db.read<{ voids: boolean; told: boolean }>(
    `select cardinality(tickets) > 0 as voids, incident_id is not null as told
      from refunds where id = $1`,
    [refund],
  );
  // An incident writes to its buyers itself, once.
  if (row?.told === true) return;
  const mail = composeRefundMail({
    facts,
    amount: { amount, currency },
    reason,
    voidsTickets: row?.voids === true,
    messageId: messageIdOf(ctx, `refund.${refund}`),
  });
  await sendOnce(ctx, mail, { kind: "refund", order: event.order, outbox: event.id });
}

async function mailTransfer(ctx: JobCtx, event: OutboxEvent): Promise<void> {
  const { ticket, issue } = transferredSchema.parse(event.payload);
  const [facts] = await ctx.db.read<TransferFacts>(TRANSFER_FACTS, [ticket, issue]);
  if (facts === undefined) return;
  const found = await readTicket(ctx, { ticket, order: facts.order });
  if (found === undefined || found.issue !== issue) return;
  const mail = await composeTransferMail({
    facts,
    code: found.code,
    url: ticketUrl(ctx.config.edgeOrigin, ticket, await signTicketToken(ctx, ticket, issue)),
    messageId: messageIdOf(ctx, `transfer.${ticket}.${issue}`),
  });
  await sendOnce(ctx, mail, { kind: "transfer", order: facts.order, outbox: event.id });
}

async function mailIncident(ctx: JobCtx, event: OutboxEvent): Promise<void> {
  const { incident, amount, currency, voucher } = incidentSchema.parse(event.payload);
  const facts = event.order === undefined ? undefined : await factsOf(ctx, event.order);
  if (facts === undefined) return;
  const mail = composeIncidentMail({
    facts,
    amount: { amount, currency },
    voucher: voucher ?? undefined,
    messageId: messageIdOf(ctx, `incident.${incident}.${facts.id}`),
  });
  await sendOnce(ctx, mail, { kind: "incident", order: event.order, outbox: event.id });
}

async function mailEventAct(
  ctx: JobCtx,
  event: OutboxEvent,
  kind: "cancelled" | "postponed",
): Promise<void> {
  const { incident, ...more } = eventActSchema.parse(event.payload);
  const facts = event.order === undefined ? undefined : await factsOf(ctx, event.order);
  if (facts === undefined) return;
  const messageId = messageIdOf(ctx, `incident.${incident}.${facts.id}`);
  const mail = composeEventActMail({ facts, kind, ...more, messageId });
  await sendOnce(ctx, mail, { kind: "incident", order: event.order, outbox: event.id });
}

export const orderMailHandler: OutboxHandler = {
  name: "mail",
  kinds: [
    "order.paid",
    "order.mail_again",
    "refund.succeeded",
    "payment.incident",
    "event.cancelled",
    "event.postponed",
    "ticket.transferred",
  ],
  async handle(ctx, event) {
    if (ctx.mailer === undefined) {
      ctx.log.warn({ event: event.id }, "no SMTP server is configured: this mail is not sent");
      return;
    }
    if (event.kind === "refund.succeeded") await mailRefund(ctx, event);
    else if (event.kind === "payment.incident") await mailIncident(ctx, event);
    else if (event.kind === "event.cancelled") await mailEventAct(ctx, event, "cancelled");
    else if (event.kind === "event.postponed") await mailEventAct(ctx, event, "postponed");
    else if (event.kind === "ticket.transferred") await mailTransfer(ctx, event);
    else await mailTickets(ctx, event);
  },
};

export const mailHandlers: readonly OutboxHandler[] = [orderMailHandler];
