import type { Context } from "hono";
import { Refusal } from "../../shared/errors.ts";
import { type Ctx, ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { type AppEnv, newRouter, type Router } from "../http/router.ts";
import { admitBuyer } from "../orders/token.ts";
import { readTicket } from "./list-tickets.ts";
import { ticketPdf } from "./pdf.ts";
import { ticketSvg } from "./svg.ts";

/** Pictures of one ticket, for whoever holds its order's token. */
export function ticketRoutes(deps: Deps): Router {
  const app = newRouter();
  for (const [kind, what] of [
    ["svg", "The ticket's code as a picture."],
    ["pdf", "The ticket on paper."],
  ] as const) {
    document(app, {
      method: "get",
      path: `/v1/tickets/{id}.${kind}`,
      summary: `${what} (\`Authorization: Order <orderToken>\`)`,
      answers: { 200: kind },
      refusals: ["credential_invalid", "not_found"],
    });
  }

  const ticketOf = async (c: Context<AppEnv>, file: string, suffix: string) => {
    const actor = await admitBuyer(deps, c);
    const ctx: Ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    const ticket = file.slice(0, -suffix.length);
    const found = await readTicket(ctx, { order: actor.order, ticket });
    if (found === undefined) throw new Refusal("not_found");
    c.header("cache-control", "private, no-store");
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
  return app;
}
