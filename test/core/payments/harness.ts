// The payment half of the core behind real HTTP, with a real database and the real simulator; who is
// admitted is a stand-in, since the gate's tokens have tests of their own.
import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { Webhook } from "standardwebhooks";
import { createApp } from "../../../core/app.ts";
import { readConfig } from "../../../core/config.ts";
import { type Ctx, ctxFor, type FanActor } from "../../../core/context.ts";
import { closeDeps, createDeps } from "../../../core/deps.ts";
import { runOrderExpiry } from "../../../core/orders/expire-orders.ts";
import type { PaymentProvider } from "../../../core/payments/provider.ts";
import { runRefunds } from "../../../core/payments/refunds.ts";
import { runAttemptResolver } from "../../../core/payments/resolve.ts";
import { runSettlement } from "../../../core/payments/settle.ts";
import { createSimulatorProvider } from "../../../core/payments/simulator.ts";
import { runParkedWebhooks } from "../../../core/payments/webhooks.ts";
import type { OrderView } from "../../../shared/contract/orders.ts";
import { newId } from "../../../shared/ids.ts";
import { type Psp, startPsp } from "../../../tools/psp/server.ts";
import { makeKeys } from "../../../tools/stack/keys.ts";
import { createDatabase } from "../../support/postgres.ts";
import { claimRedis } from "../../support/redis.ts";
import { scaledTimings, TIME_SCALE } from "./timings.ts";

const NOWHERE = "http://127.0.0.1:9";

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
/** Whatever a reply may have: an order, an attempt, tickets or a problem. */
export type Json = Partial<Omit<OrderView, "state">> & {
  state?: string;
  orderToken?: string;
  code?: string;
  status?: number;
  reason?: string;
};

export type TestCore = Awaited<ReturnType<typeof startTestCore>>;

const fanOf = (place: string, event: string): FanActor => ({
  kind: "fan",
  event,
  place,
  epoch: 1,
  gen: 0,
  jti: `jti-${place}`,
  account: undefined,
  jkt: undefined,
  subject: place,
  issuedAtMs: Date.now(),
  expiresAtMs: Date.now() + 600_000,
});

export type Wrap = (provider: PaymentProvider) => PaymentProvider;

export async function startTestCore(
  wrap: Wrap = (provider) => provider,
  env: Record<string, string> = {},
  timeScale: number = TIME_SCALE,
) {
  const [database, redis, keys] = await Promise.all([
    createDatabase(),
    claimRedis(),
    makeKeys(new Date()),
  ]);
  let handle = (_request: Request): Response | Promise<Response> => new Response(null);
  const { server, origin } = await listen((request) => handle(request));
  const secrets = { secret: keys.pspSecret, webhookSecret: keys.pspWebhookSecret };
  const psp = await startPsp({ port: 0, coreOrigin: origin, timeScale, ...secrets });
  const environment = {
    NODE_ENV: "test",
    CORE_ORIGIN: origin,
    EDGE_ORIGIN: NOWHERE,
    DATABASE_URL: database.url,
    DB_POOL_MAX: "8",
    REDIS_LOCKS_URL: redis.url,
    REDIS_CACHE_URL: redis.url,
    REDIS_PREFIX: redis.prefix,
    CORE_KEYS: JSON.stringify(keys.coreKeys),
    CORE_SECRET: keys.coreSecret,
    ORGANIZER_KEY: keys.organizerKey,
    PSP_ORIGIN: psp.origin,
    PSP_SECRET: keys.pspSecret,
    PSP_WEBHOOK_SECRET: keys.pspWebhookSecret,
    LOG_LEVEL: process.env["TEST_LOG"] ?? "silent",
    ...env,
  };
  const config = readConfig(environment);
  const provider = createSimulatorProvider({
    origin: psp.origin,
    ...secrets,
    timings: scaledTimings(timeScale),
  });
  const made = await createDeps(config, { payments: wrap(provider) });
  const deps = {
    ...made,
    // Who is admitted is the gate's matter, which has tests of its own.
    admissions: {
      ...made.admissions,
      admitHolder: async (c: Parameters<typeof made.admissions.admitHolder>[0]) =>
        fanOf(c.req.header("x-test-place") ?? "", c.req.header("x-test-event") ?? ""),
    },
  };
  const app = createApp(deps);
  handle = (request) => app.fetch(request);
  const ctx: Ctx = ctxFor(deps, { actor: { kind: "job", name: "test" }, requestId: "req_test" });
  return {
    db: deps.db,
    /** For another process of the same deployment. */
    environment,
    ctx,
    psp,
    provider,
    origin,
    keys: deps.keys,
    organizerKey: keys.organizerKey,
    webhookSecret: keys.pspWebhookSecret,
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
      await closeDeps(deps);
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
  const { id = newId("evt" as "req"), at = new Date(), secrets = [core.webhookSecret] } = more;
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
