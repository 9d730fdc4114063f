import type { Context } from "hono";
import {
  type AccountView,
  accountRequestSchema,
  verifyRequestSchema,
} from "../../shared/contract/accounts.ts";
import { eventIdSchema } from "../../shared/contract/common.ts";
import { Refusal } from "../../shared/errors.ts";
import { ctxFor, type Deps } from "../context.ts";
import { document } from "../http/document.ts";
import { readBody } from "../http/read-body.ts";
import { clientAddress } from "../http/request.ts";
import { type AppEnv, newRouter, type Router } from "../http/router.ts";
import { admitOwner, signOrderToken } from "../orders/token.ts";
import { askCode } from "./ask-code.ts";
import { answerEvenly } from "./evenly.ts";
import { ACCOUNT_VIEW, CLOSE_SESSION } from "./queries.ts";
import { registerForEvent } from "./register.ts";
import {
  clearSession,
  requireAccount,
  requireOwnOrigin,
  sessionHash,
  setSession,
} from "./session.ts";
import { verifyCode } from "./verify-code.ts";

type C = Context<AppEnv>;

/** People by their address: a code, a session, registrations, their orders. */
export function accountRoutes(deps: Deps): Router {
  const app = newRouter();
  describeAccounts(app);
  const addressOf = (c: C) => clientAddress(c, deps.config.trustedProxies);
  const anyone = (c: C) =>
    ctxFor(deps, {
      actor: { kind: "anyone" },
      requestId: c.get("requestId"),
      log: c.get("log"),
    });

  app.post("/v1/accounts", async (c) => {
    requireOwnOrigin(deps, c);
    const input = await readBody(c, accountRequestSchema);
    await answerEvenly(() => askCode(anyone(c), { ...input, address: addressOf(c) }));
    c.header("cache-control", "no-store");
    return c.json({}, 202);
  });

  app.post("/v1/accounts/verify", async (c) => {
    requireOwnOrigin(deps, c);
    const input = await readBody(c, verifyRequestSchema);
    const { token } = await answerEvenly(() =>
      verifyCode(anyone(c), { ...input, address: addressOf(c) }),
    );
    setSession(deps, c, token);
    c.header("cache-control", "no-store");
    return c.json({}, 200);
  });

  app.get("/v1/accounts/me", async (c) => {
    const actor = await requireAccount(deps, c);
    const [row] = await deps.db.read<{ view: AccountView }>(ACCOUNT_VIEW, [
      actor.id,
      actor.subject,
    ]);
    if (row === undefined) throw new Refusal("account_required");
    c.header("cache-control", "no-store");
    return c.json(row.view, 200);
  });

  app.post("/v1/accounts/me/orders/:id/token", async (c) => {
    const account = await requireAccount(deps, c);
    const { order } = await admitOwner(deps, account, c.req.param("id"));
    c.header("cache-control", "no-store");
    return c.json({ orderToken: await signOrderToken(deps, order) }, 200);
  });

  app.delete("/v1/accounts/session", async (c) => {
    requireOwnOrigin(deps, c);
    const hash = sessionHash(deps, c);
    if (hash !== undefined) await deps.db.write(CLOSE_SESSION, [hash]);
    clearSession(deps, c);
    return c.body(null, 204);
  });

  app.post("/v1/events/:event/registrations", async (c) => {
    const actor = await requireAccount(deps, c);
    const event = eventIdSchema.safeParse(c.req.param("event"));
    if (!event.success) throw new Refusal("unknown_event");
    const ctx = ctxFor(deps, { actor, requestId: c.get("requestId"), log: c.get("log") });
    const { reply, made } = await registerForEvent(ctx, event.data);
    c.header("cache-control", "no-store");
    return c.json(reply, made ? 201 : 200);
  });
  return app;
}

function describeAccounts(app: Router): void {
  document(app, {
    method: "post",
    path: "/v1/accounts",
    summary: "A sign-in code by mail; the same answer for every address.",
    body: accountRequestSchema,
    answers: { 202: "a code is on its way" },
    refusals: ["invalid_request", "rate_limited", "foreign_origin"],
  });
  document(app, {
    method: "post",
    path: "/v1/accounts/verify",
    summary: "The code for a session, in a cookie.",
    body: verifyRequestSchema,
    answers: { 200: "signed in" },
    refusals: ["code_invalid", "invalid_request", "rate_limited", "foreign_origin"],
  });
  document(app, {
    method: "get",
    path: "/v1/accounts/me",
    summary: "Who is signed in, with registrations and orders.",
    answers: { 200: "`{id, email, registrations, orders}`" },
    refusals: ["account_required"],
  });
  document(app, {
    method: "post",
    path: "/v1/accounts/me/orders/{id}/token",
    summary: "The token of an order that the person made, to open it in this browser.",
    answers: { 200: "`{orderToken}`" },
    refusals: ["account_required", "not_found"],
  });
  document(app, {
    method: "delete",
    path: "/v1/accounts/session",
    summary: "Signs out.",
    answers: { 204: "signed out" },
    refusals: ["foreign_origin"],
  });
  document(app, {
    method: "post",
    path: "/v1/events/{event}/registrations",
    summary: "Registers for the event; the answer has the entry pass for the queue.",
    answers: { 201: "registered", 200: "registered before; a fresh pass" },
    refusals: ["account_required", "unknown_event", "sale_closed"],
  });
}
