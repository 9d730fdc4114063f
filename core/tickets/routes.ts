import type { Context } from "hono";
import { transferRequestSchema } from "../../shared/contract/tickets.ts";
import { Refusal } from "../../shared/errors.ts";
import type { OrderId } from "../../shared/ids.ts";
import { type Ctx, ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { readBody } from "../http/read-body.ts";
import { type AppEnv, newRouter, type Router } from "../http/router.ts";
import { calendarOf } from "../mail/calendar.ts";
import { admitHolder } from "./holder.ts";
import { readTicket } from "./list-tickets.ts";
import { ticketPdf } from "./pdf.ts";
import { readTicketPage } from "./read-page.ts";
import { ticketSvg } from "./svg.ts";
import { transferTicket } from "./transfer.ts";

type C = Context<AppEnv>;

/** One ticket, for its holder: the buyer by the order's token, or whoever it was handed to. */
export function ticketRoutes(deps: Deps): Router {
  const app = newRouter();
  describeTickets(app);

  const holderOf = async (c: C, ticket: string) => {
    const held = await admitHolder(deps, c, ticket);
    const actor = { kind: "buyer", order: held.order as OrderId } as const;
    const ctx: Ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    c.header("cache-control", "private, no-store");
    return { ctx, held };
  };
  const ticketOf = async (c: C, file: string, suffix: string) => {
    const { ctx, held } = await holderOf(c, file.slice(0, -suffix.length));
    const found = await readTicket(ctx, held);
    if (found === undefined) throw new Refusal("not_found");
    return found;
  };

  app.get("/v1/tickets/:file{tkt_[\\w-]{1,64}\\.svg}", async (c) => {
    const ticket = await ticketOf(c, c.req.param("file"), ".svg");
    return c.body(await ticketSvg(ticket.code), 200, { "content-type": "image/svg+xml" });
  });

  app.get("/v1/tickets/:file{tkt_[\\w-]{1,64}\\.pdf}", async (c) => {
    const ticket = await ticketOf(c, c.req.param("file"), ".pdf");
    return c.body(await ticketPdf(ticket), 200, { "content-type": "application/pdf" });
  });

  app.get("/v1/tickets/:file{tkt_[\\w-]{1,64}\\.ics}", async (c) => {
    const ticket = await ticketOf(c, c.req.param("file"), ".ics");
    const calendar = calendarOf({
      uid: `${ticket.event}@${new URL(deps.config.edgeOrigin).hostname}`,
      startsAt: ticket.startsAt,
      madeAt: new Date(deps.clock.now()).toISOString(),
      summary: ticket.eventName,
      location: ticket.venue,
      description: ticket.seat ?? ticket.zoneName,
      url: `${deps.config.edgeOrigin}/tickets/${ticket.id}`,
    });
    return c.body(calendar, 200, { "content-type": "text/calendar; charset=utf-8" });
  });

  app.get("/v1/tickets/:id", async (c) => {
    const { ctx, held } = await holderOf(c, c.req.param("id"));
    return c.json(await readTicketPage(ctx, held), 200);
  });

  app.post("/v1/tickets/:id/transfer", async (c) => {
    const { ctx, held } = await holderOf(c, c.req.param("id"));
    const request = await readBody(c, transferRequestSchema);
    await transferTicket(ctx, { ...request, ...held });
    return c.body(null, 204);
  });
  return app;
}

function describeTickets(app: Router): void {
  const by = "(`Authorization: Order <orderToken>` or `Ticket <ticketToken>`)";
  for (const [path, what] of [
    ["/v1/tickets/{id}", "A ticket's page"],
    ["/v1/tickets/{id}.svg", "The ticket's code as a picture"],
    ["/v1/tickets/{id}.pdf", "The ticket on paper"],
    ["/v1/tickets/{id}.ics", "The event for a calendar"],
  ] as const)
    document(app, {
      method: "get",
      path,
      summary: `${what} ${by}.`,
      answers: { 200: what },
      refusals: ["credential_invalid", "not_found"],
    });
  document(app, {
    method: "post",
    path: "/v1/tickets/{id}/transfer",
    summary: `Hands a ticket to another person; its present code is worthless at once ${by}.`,
    body: transferRequestSchema,
    answers: { 204: "handed on" },
    refusals: ["credential_invalid", "not_found", "ticket_not_transferable", "invalid_request"],
  });
}
