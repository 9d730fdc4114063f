// The simulator's HTTP face. Every call that moves or asks about money needs the bearer secret;
// the control and ledger pages do not, because only tests and people at the same machine reach
// them. Idempotency is by `Idempotency-Key`: one charge and one refund per key.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { type Charge, chargeView, type Ledger } from "./ledger.ts";
import { type Behaviour, isMethodId, METHODS } from "./methods.ts";
import { settlementCsv } from "./settlement.ts";
import type { WebhookSender } from "./webhooks.ts";

export type Simulation = {
  ledger: Ledger;
  secret: string;
  webhooks: WebhookSender;
  now: () => number;
  scaled: (ms: number) => number;
  later: (ms: number, act: () => void) => void;
  control: { nextDelayMs: number; nextDrop: boolean };
};

const REFUND_WEBHOOK_MS = 50;

type Env = { Bindings: HttpBindings };
type Ctx = Context<Env>;

const newCharge = z.strictObject({
  reference: z.string().min(1).max(200),
  attempt: z.string().min(1).max(200),
  key: z.string().min(1).max(255).optional(),
  amount: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  currency: z.string().regex(/^[A-Z]{3}$/),
  method: z.string().min(1).max(200),
  instalments: z.int().min(1).max(36).optional(),
});
const newRefund = z.strictObject({ amount: z.int().min(1) });
const controls = z.strictObject({
  nextDelayMs: z.int().min(0).max(600_000).optional(),
  nextDrop: z.boolean().optional(),
  webhooks: z.enum(["on", "off", "dup", "reorder"]).optional(),
});

export function createSimulatorApp(sim: Simulation): Hono<Env> {
  const app = new Hono<Env>();
  app.use("/v1/*", async (c, next) => {
    if (c.req.header("authorization") !== `Bearer ${sim.secret}`) {
      return c.json({ error: "unauthorized" }, 401);
    }
    // Orders for "the next call" belong to the call that comes next, not to one that ends next.
    const { nextDelayMs, nextDrop } = sim.control;
    sim.control.nextDelayMs = 0;
    sim.control.nextDrop = false;
    await next();
    // The work is done by now; only the answer suffers.
    if (nextDelayMs > 0) await new Promise<void>((done) => sim.later(nextDelayMs, done));
    if (nextDrop) c.env.incoming.socket.destroy();
    return undefined;
  });

  app.post("/v1/charges", async (c) => {
    const key = c.req.header("idempotency-key");
    const body = newCharge.safeParse(await readJson(c));
    if (key === undefined || !body.success) return c.json({ error: "invalid_request" }, 422);
    if (!isMethodId(body.data.method)) return c.json({ error: "unknown_method" }, 422);
    const { method, instalments = 1, key: shownKey = key, ...rest } = body.data;
    const made = sim.ledger.create(key, { ...rest, key: shownKey, method, instalments });
    if (made.kind === "key_reused") return c.json({ error: "idempotency_key_reused" }, 422);
    return c.json(chargeView(made.charge), made.kind === "created" ? 201 : 200);
  });
  app.post("/v1/charges/:id/confirm", (c) => confirm(sim, c));
  app.get("/v1/charges/:id", (c) => {
    const charge = sim.ledger.charges.get(c.req.param("id"));
    if (charge === undefined) return c.json({ error: "not_found" }, 404);
    charge.calls.inquire += 1;
    if (isHidden(sim, charge)) return c.json({ error: "not_found" }, 404);
    return c.json(chargeView(charge));
  });
  app.post("/v1/charges/:id/cancel", (c) => {
    const charge = sim.ledger.charges.get(c.req.param("id"));
    if (charge === undefined) return c.json({ error: "not_found" }, 404);
    charge.calls.cancel += 1;
    if (isHidden(sim, charge)) return c.json({ error: "not_found" }, 404);
    const cancelled = sim.ledger.cancel(charge);
    return c.json(chargeView(charge), cancelled || charge.state === "failed" ? 200 : 409);
  });
  refundRoutes(app, sim);
  openRoutes(app, sim);
  return app;
}

function refundRoutes(app: Hono<Env>, sim: Simulation): void {
  app.post("/v1/charges/:id/refunds", async (c) => {
    const charge = sim.ledger.charges.get(c.req.param("id"));
    const key = c.req.header("idempotency-key");
    const body = newRefund.safeParse(await readJson(c));
    if (charge === undefined) return c.json({ error: "not_found" }, 404);
    if (key === undefined || !body.success) return c.json({ error: "invalid_request" }, 422);
    const made = sim.ledger.refund(key, charge, body.data.amount, sim.now());
    if (!("refund" in made)) return c.json({ error: made.kind }, 422);
    if (made.kind === "created") {
      sim.later(REFUND_WEBHOOK_MS, () =>
        sim.webhooks.send({ type: "refund.succeeded", data: made.refund, copies: 1 }),
      );
    }
    return c.json(made.refund, made.kind === "created" ? 201 : 200);
  });
  app.get("/v1/refunds", (c) => {
    const refund = sim.ledger.refundByKey(c.req.query("key") ?? "");
    return refund === undefined ? c.json({ error: "not_found" }, 404) : c.json(refund);
  });
}

function openRoutes(app: Hono<Env>, sim: Simulation): void {
  app.get("/healthz", (c) => c.json({ ok: true }));
  app.post("/_control", async (c) => {
    const body = controls.safeParse(await readJson(c));
    if (!body.success) return c.json({ error: "invalid_request" }, 422);
    if (body.data.nextDelayMs !== undefined) sim.control.nextDelayMs = body.data.nextDelayMs;
    if (body.data.nextDrop !== undefined) sim.control.nextDrop = body.data.nextDrop;
    if (body.data.webhooks !== undefined) sim.webhooks.mode = body.data.webhooks;
    return c.json({ ...sim.control, webhooks: sim.webhooks.mode });
  });
  app.get("/_charges", (c) =>
    c.json({
      charges: [...sim.ledger.charges.values()].map((charge) => ({
        ...chargeView(charge),
        calls: charge.calls,
      })),
    }),
  );
  app.get("/settlements/:file{[0-9]{4}-[0-9]{2}-[0-9]{2}\\.csv}", (c) => {
    const day = c.req.param("file").slice(0, -".csv".length);
    const zone = c.req.query("zone") ?? "UTC";
    if (!isTimeZone(zone)) return c.json({ error: "unknown_zone" }, 422);
    return c.body(settlementCsv(sim.ledger.entries, { day, zone }), 200, {
      "content-type": "text/csv; charset=utf-8",
    });
  });
}

async function confirm(sim: Simulation, c: Ctx): Promise<Response> {
  const charge = sim.ledger.charges.get(c.req.param("id") ?? "");
  if (charge === undefined) return c.json({ error: "not_found" }, 404);
  charge.calls.confirm += 1;
  const how: Behaviour = METHODS[charge.method];
  if (charge.state === "created" && charge.confirmedAt === undefined) {
    charge.confirmedAt = sim.now();
    charge.hiddenUntil = sim.now() + sim.scaled(how.hiddenMs);
    carryOut(sim, charge, how);
  }
  const { answer } = how;
  switch (answer.how) {
    case "normal":
      return confirmAnswer(c, charge);
    case "after":
      await new Promise<void>((done) => sim.later(answer.ms, done));
      return confirmAnswer(c, charge);
    case "drop":
      return dropConnection(c);
    case "silence":
      await new Promise<void>((done) => c.env.incoming.socket.once("close", () => done()));
      return c.body(null, 204);
    case "server_error":
      return c.json({ error: "internal" }, 500);
  }
}

function carryOut(sim: Simulation, charge: Charge, how: Behaviour): void {
  const act = () => {
    if (charge.state === "created" && how.outcome === "succeeded") charge.amount += how.amountError;
    sim.ledger.conclude(charge, how.outcome, sim.now(), how.reason);
  };
  if (how.capture.when === "at_once") act();
  if (how.capture.when === "after") sim.later(how.capture.ms, act);
  if (how.webhookMs === null) return;
  sim.later(how.webhookMs, () =>
    sim.webhooks.send({
      type: `charge.${charge.state}`,
      data: chargeView(charge),
      copies: how.webhookCopies,
    }),
  );
}

function confirmAnswer(c: Ctx, charge: Charge): Response {
  switch (charge.state) {
    case "succeeded":
      return c.json(chargeView(charge), 200);
    case "failed":
      return c.json(chargeView(charge), 402);
    case "created":
    case "cancelled":
      return c.json(chargeView(charge), 409);
  }
}

function dropConnection(c: Ctx): Response {
  c.env.incoming.socket.destroy();
  return c.body(null, 204);
}

const isHidden = (sim: Simulation, charge: Charge): boolean => sim.now() < charge.hiddenUntil;

const readJson = async (c: Ctx): Promise<unknown> => c.req.json().catch(() => undefined);

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
