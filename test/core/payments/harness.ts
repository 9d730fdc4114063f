// The payment half of the core behind real HTTP, with a real database and the real simulator; who is
// admitted is a stand-in, since the gate's tokens have tests of their own.
import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import pino from "pino";
import { Webhook } from "standardwebhooks";
import type { Config } from "../../../core/config.ts";
import { type Ctx, ctxFor, type Deps, type FanActor, systemClock } from "../../../core/context.ts";
import { createDb } from "../../../core/db/connect.ts";
import { newRouter } from "../../../core/http/router.ts";
import type { LiveChange } from "../../../core/live/live.ts";
import { createMetrics } from "../../../core/metrics/metrics.ts";
import { runOrderExpiry } from "../../../core/orders/expire-orders.ts";
import { orderRoutes } from "../../../core/orders/routes.ts";
import { PAYMENT_TIMINGS, type PaymentTimings } from "../../../core/payments/limits.ts";
import type { PaymentProvider } from "../../../core/payments/provider.ts";
import { runRefunds } from "../../../core/payments/refunds.ts";
import { runAttemptResolver } from "../../../core/payments/resolve.ts";
import { paymentRoutes } from "../../../core/payments/routes.ts";
import { runSettlement } from "../../../core/payments/settle.ts";
import { createSimulatorProvider } from "../../../core/payments/simulator.ts";
import { runParkedWebhooks } from "../../../core/payments/webhooks.ts";
import { ticketRoutes } from "../../../core/tickets/routes.ts";
import { ERRORS, Refusal, toProblem } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { generateKey, importKeySet } from "../../../shared/token/keys.ts";
import { type Psp, startPsp } from "../../../tools/psp/server.ts";
import { createDatabase } from "../../support/postgres.ts";

/** 25 s become 250 ms, at the simulator and in the core alike. */
export const TIME_SCALE = 0.01;
const SECRET = "sk_test_only";
export const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const ORIGIN = "http://core.test";
const POOL_MAX = 8;

const scaledTimings: PaymentTimings = {
  // Generous where nothing is slow on purpose: a busy machine must not look like a dead provider.
  ...PAYMENT_TIMINGS,
  confirmTimeoutMs: PAYMENT_TIMINGS.confirmTimeoutMs * TIME_SCALE,
  inquireAfterSentMs: PAYMENT_TIMINGS.inquireAfterSentMs * TIME_SCALE,
  inquiryBackoffMs: PAYMENT_TIMINGS.inquiryBackoffMs.map((ms) => ms * TIME_SCALE),
  refundBackoffMs: PAYMENT_TIMINGS.refundBackoffMs.map((ms) => ms * TIME_SCALE),
};

export type SimulatorCharge = {
  id: string;
  reference: string;
  attempt: string;
  key: string;
  amount: number;
  currency: string;
  state: "created" | "succeeded" | "failed" | "cancelled";
  refunded: number;
  calls: { create: number; confirm: number; inquire: number; cancel: number };
};

export type Answer = { status: number; headers: Headers; text: string; body: Json };
// biome keeps `any` out; tests read replies through this instead.
export type Json = { readonly [key: string]: Json } & readonly Json[] & string & number;

export type TestCore = Awaited<ReturnType<typeof startTestCore>>;

const fanOf = (place: string, event: string): FanActor => ({
  kind: "fan",
  event,
  place,
  epoch: 1,
  gen: 0,
  jti: `jti-${place}`,
  account: undefined,
  subject: place,
  issuedAtMs: Date.now(),
  expiresAtMs: Date.now() + 600_000,
});

export async function startTestCore(
  wrap: (provider: PaymentProvider) => PaymentProvider = (provider) => provider,
) {
  const database = await createDatabase();
  const metrics = createMetrics();
  const db = createDb({ url: database.url, poolMax: POOL_MAX, metrics });
  const entries = await Promise.all(
    (["ticket", "order"] as const).map((use) => generateKey(use, "active", new Date())),
  );
  const live: LiveChange[] = [];
  const app = newRouter();
  const { server, origin } = await listen((request) => app.fetch(request));
  const psp = await startPsp({
    port: 0,
    coreOrigin: origin,
    secret: SECRET,
    webhookSecret: WEBHOOK_SECRET,
    timeScale: TIME_SCALE,
  });
  const provider = createSimulatorProvider({
    origin: psp.origin,
    secret: SECRET,
    webhookSecret: WEBHOOK_SECRET,
    timings: scaledTimings,
  });
  const deps = stubbed({
    config: stubbed<Config>({ origin: ORIGIN }),
    db,
    metrics,
    clock: systemClock,
    ids: { newId },
    payments: wrap(provider),
    log: pino({ level: process.env["TEST_LOG"] ?? "silent" }),
    keys: await importKeySet(entries, ["ticket", "order"]),
    live: { publish: (change) => void live.push(change) },
    admissions: stubbed<Deps["admissions"]>({
      admitHolder: async (c) =>
        fanOf(c.req.header("x-test-place") ?? "", c.req.header("x-test-event") ?? ""),
    }),
  });
  app.use(async (c, next) => {
    c.set("requestId", newId("req"));
    c.set("log", deps.log);
    await next();
  });
  for (const routes of [orderRoutes, paymentRoutes, ticketRoutes]) app.route("/", routes(deps));
  app.onError((error, c) => {
    const refusal = error instanceof Refusal ? error : new Refusal("internal");
    if (!(error instanceof Refusal)) deps.log.error({ err: error }, "a bug");
    const requestId = c.get("requestId");
    return c.json(
      toProblem(refusal.code, { requestId, detail: refusal.detail, facts: refusal.facts }),
      ERRORS[refusal.code].status,
      refusal.headers,
    );
  });
  const ctx: Ctx = ctxFor(deps, { actor: { kind: "job", name: "test" }, requestId: "req_test" });
  return {
    db,
    ctx,
    live,
    psp,
    provider,
    origin,
    keys: deps.keys,
    webhookSecret: WEBHOOK_SECRET,
    charges: () => chargesOf(psp),
    chargesOf: async (order: string) =>
      (await chargesOf(psp)).filter((charge) => charge.reference === order),
    control: (body: unknown) => fetch(`${psp.origin}/_control`, jsonPost(body)),
    call: (method: string, path: string, more: CallOptions = {}) =>
      call(origin, method, path, more),
    runJobs: () => runJobs(ctx),
    async stop() {
      await psp.stop();
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await db.close();
      await database.drop();
    },
  };
}

/** The jobs of the scheduler, once each. */
export async function runJobs(ctx: Ctx): Promise<number> {
  let done = 0;
  for (const run of [
    runAttemptResolver,
    runSettlement,
    runRefunds,
    runParkedWebhooks,
    runOrderExpiry,
  ]) {
    done += await run(ctx);
  }
  return done;
}

/** What a test does not need is not there: touching it is a failure that names it. */
function stubbed<T extends object>(given: Partial<T>): T {
  return new Proxy(given, {
    get(target, name, receiver) {
      if (name in target || typeof name === "symbol") return Reflect.get(target, name, receiver);
      throw new Error(`the test has no ${name}`);
    },
  }) as T;
}

function listen(handle: (request: Request) => Response | Promise<Response>) {
  return new Promise<{ server: ServerType; origin: string }>((resolve) => {
    const server = serve(
      { fetch: handle, hostname: "127.0.0.1", port: 0 },
      (address: AddressInfo) => resolve({ server, origin: `http://127.0.0.1:${address.port}` }),
    );
  });
}

const jsonPost = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

async function chargesOf(psp: Psp): Promise<SimulatorCharge[]> {
  const reply = await fetch(`${psp.origin}/_charges`);
  return ((await reply.json()) as { charges: SimulatorCharge[] }).charges;
}

type CallOptions = { body?: unknown; headers?: Record<string, string>; raw?: string };

async function call(
  origin: string,
  method: string,
  path: string,
  more: CallOptions,
): Promise<Answer> {
  const body = more.raw ?? (more.body === undefined ? undefined : JSON.stringify(more.body));
  const reply = await fetch(origin + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...more.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await reply.text();
  const isJson = (reply.headers.get("content-type") ?? "").includes("json");
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    body: isJson ? JSON.parse(text) : text,
  };
}

/** What the provider could send, signed as it would sign it. */
export async function webhook(
  core: TestCore,
  type: string,
  data: unknown,
  more: { id?: string; at?: Date; secrets?: string[]; body?: string } = {},
): Promise<Answer> {
  const { id = newId("evt" as "req"), at = new Date(), secrets = [WEBHOOK_SECRET] } = more;
  const signed = JSON.stringify({ type, timestamp: at.toISOString(), data });
  return core.call("POST", "/v1/webhooks/simulator", {
    raw: more.body ?? signed,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": secrets
        .map((secret) => new Webhook(secret).sign(id, at, signed))
        .join(" "),
    },
  });
}
