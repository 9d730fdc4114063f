import type { Context } from "hono";
import { accountRequestSchema } from "../../shared/contract/accounts.ts";
import { Refusal } from "../../shared/errors.ts";
import { answerEvenly } from "../accounts/evenly.ts";
import { clearSession, requireAccount, requireOwnOrigin } from "../accounts/session.ts";
import { type Actor, type Ctx, ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { readBody } from "../http/read-body.ts";
import { clientAddress } from "../http/request.ts";
import { type AppEnv, newRouter, type Router } from "../http/router.ts";
import { admitBuyerOf } from "../orders/token.ts";
import { askLinks } from "./ask-links.ts";
import { eraseBuyer } from "./erase-buyer.ts";
import { exportBuyer } from "./export-buyer.ts";
import { MAIL_AGAIN } from "./queries.ts";

type C = Context<AppEnv>;

/** A buyer's way back to their orders, and their rights over what we keep about them. */
export function buyerRoutes(deps: Deps): Router {
  const app = newRouter();
  describeBuyers(app);
  const ctxOf = <Who extends Actor>(c: C, actor: Who): Ctx<Who> =>
    ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });

  app.post("/v1/orders/links", async (c) => {
    requireOwnOrigin(deps, c);
    const input = await readBody(c, accountRequestSchema);
    const address = clientAddress(c, deps.config.trustedProxies);
    await answerEvenly(() => askLinks(ctxOf(c, { kind: "anyone" }), { ...input, address }));
    c.header("cache-control", "no-store");
    return c.json({}, 202);
  });

  app.post("/v1/orders/:id/mail", async (c) => {
    const actor = await admitBuyerOf(deps, c, c.req.param("id"));
    await deps.limits.require("mail-order", actor.order);
    const asked = await deps.db.write(MAIL_AGAIN, [actor.order]);
    if (asked.length === 0)
      throw new Refusal("order_not_payable", { detail: "It has no tickets." });
    return c.json({}, 202);
  });

  app.get("/v1/orders/:id/export", async (c) => {
    const actor = await admitBuyerOf(deps, c, c.req.param("id"));
    c.header("cache-control", "no-store");
    return c.json(await exportBuyer(ctxOf(c, actor)), 200);
  });

  app.delete("/v1/orders/:id/buyer", async (c) => {
    const actor = await admitBuyerOf(deps, c, c.req.param("id"));
    await eraseBuyer(ctxOf(c, actor));
    return c.body(null, 204);
  });

  app.get("/v1/accounts/me/export", async (c) => {
    const actor = await requireAccount(deps, c);
    c.header("cache-control", "no-store");
    return c.json(await exportBuyer(ctxOf(c, actor)), 200);
  });

  app.delete("/v1/accounts/me", async (c) => {
    const actor = await requireAccount(deps, c);
    await eraseBuyer(ctxOf(c, actor));
    clearSession(deps, c);
    return c.body(null, 204);
  });
  return app;
}

function describeBuyers(app: Router): void {
  document(app, {
    method: "post",
    path: "/v1/orders/links",
    summary:
      "Links to an address's orders, by mail to that address; the same answer for every one.",
    body: accountRequestSchema,
    answers: { 202: "on its way, if there are any" },
    refusals: ["invalid_request", "rate_limited", "foreign_origin"],
  });
  document(app, {
    method: "post",
    path: "/v1/orders/{id}/mail",
    summary: "The mail with the tickets, once more.",
    answers: { 202: "on its way" },
    refusals: ["credential_invalid", "not_found", "order_not_payable", "rate_limited"],
  });
  for (const [path, refusals] of [
    ["/v1/orders/{id}", ["credential_invalid", "not_found", "attempt_in_flight"]],
    ["/v1/accounts/me", ["account_required", "attempt_in_flight"]],
  ] as const) {
    document(app, {
      method: "get",
      path: `${path}/export`,
      summary: "Everything that is kept about the buyer.",
      answers: { 200: "`{account?, orders, received?}`" },
      refusals: [...refusals],
    });
    document(app, {
      method: "delete",
      path: path === "/v1/accounts/me" ? path : `${path}/buyer`,
      summary: "Forgets the buyer; amounts, payments and seats stay.",
      answers: { 204: "forgotten" },
      refusals: [...refusals],
    });
  }
}
