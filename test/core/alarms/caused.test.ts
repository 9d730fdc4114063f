// Each alarm caused in a real core, told to a webhook, and told again when what caused it is over.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Redis as IoRedis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { figuresJob } from "../../../core/alarms/figures.ts";
import type { Notice } from "../../../core/alarms/judge.ts";
import { RULES } from "../../../core/alarms/rules.ts";
import { alarmJob } from "../../../core/alarms/watch.ts";
import type { Deps } from "../../../core/context.ts";
import { createDb } from "../../../core/db/connect.ts";
import { jobCtx, runEvery } from "../../../core/jobs/schedule.ts";
import { createMetrics } from "../../../core/metrics/metrics.ts";
import { runPaymentFigures } from "../../../core/payments/figures.ts";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { startTcpProxy, type TcpProxy, throughProxy } from "../../support/tcp-proxy.ts";
import { type House, openHouse } from "../house.ts";
import { sellSeats } from "../sold.ts";

let house: House;
/** Its database is behind a wire, its Redis is its own. */
let core: House;
let redis: RunningRedis;
let admin: IoRedis;
let wire: TcpProxy;
let close: () => void;
let order: string;
const gate: { edgeOrigin?: string } = {};
const told: Notice[] = [];

beforeAll(async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      told.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  close = () => server.close();
  [house, redis] = await Promise.all([openHouse(), startRedis()]);
  const database = new URL(house.deps.config.database.url);
  wire = await startTcpProxy({ host: database.hostname, port: Number(database.port) });
  core = await openHouse({
    beside: house,
    env: {
      ALARM_WEBHOOK_URL: `http://127.0.0.1:${port}`,
      OUTBOUND_LOCAL: "true",
      DATABASE_URL: throughProxy(database.href, wire),
      REDIS_LOCKS_URL: redis.url,
      REDIS_CACHE_URL: redis.url,
      REDIS_URL: redis.url,
    },
  });
  admin = new IoRedis(redis.url, { maxRetriesPerRequest: 0, retryStrategy: () => 100 });
  admin.on("error", () => undefined);
  order = (await sellSeats(house)).order;
  await write(`insert into payment_attempts (id, order_id, intent_id, event_id, key, request_hash,
      provider, provider_ref, method, origin, state, amount, currency, captured_amount,
      captured_currency, settled)
    select 'att_1', o.id, i.id, o.event_id, 'k', 'h', 'simulator', 'ch_1', 'pm_ok', 'press',
      'succeeded', 1, 'TRY', 1, 'TRY', 'order'
    from orders o join payment_intents i on i.order_id = o.id where o.id = '${order}'`);
});
afterAll(async () => {
  admin.disconnect();
  await narrow?.close();
  await core.close();
  await house.close();
  await wire.close();
  await redis.stop();
  close();
});

const write = (text: string) => house.deps.db.write(text);
const attempt = (changes: string) =>
  write(`update payment_attempts set ${changes} where id = 'att_1'`);
const refund = (reason: string, age: string) =>
  write(`insert into refunds (id, order_id, attempt_id, event_id, key, amount, currency, reason,
      created_by, created_at)
    select 'ref_1', order_id, id, event_id, 'r', 1, 'TRY', '${reason}', 'test',
      now() - interval '${age}' from payment_attempts where id = 'att_1'`);
const noRefund = () => write("delete from refunds where id = 'ref_1'");
const untilReady = (ready: boolean) =>
  expect
    .poll(() => core.deps.redis.locks.client.status === "ready", { timeout: 10_000 })
    .toBe(ready);

/** What it takes, what ends it, and what of the core is another one meanwhile. */
type Cause = {
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
  deps?: () => Partial<Deps>;
};

const metrics = createMetrics();
const crowded = () => ({
  url: house.deps.config.database.url,
  poolMax: 1,
  metrics,
  deadlineMs: 30_000,
  queueWaitMsMax: 60_000,
});
let narrow: ReturnType<typeof createDb> | undefined;
let waiting: Promise<unknown>[] = [];

const redisAway: Cause = {
  async begin() {
    await redis.kill();
    await untilReady(false);
  },
  async end() {
    redis = await startRedis({ port: redis.port });
    await untilReady(true);
  },
};
const nothing = async () => undefined;

const CAUSES: Readonly<Record<string, Cause>> = {
  database_away: {
    async begin() {
      wire.set("refuse");
      wire.cut();
    },
    end: async () => wire.set("pass"),
  },
  database_queue: {
    async begin() {
      const db = createDb(crowded());
      narrow = db;
      waiting = Array.from({ length: 400 }, () => db.read("select pg_sleep(0.01)"));
    },
    end: () => Promise.all(waiting),
    deps: () => ({ metrics, ...(narrow ? { db: narrow } : {}) }),
  },
  database_shed: {
    begin: () =>
      Promise.allSettled(
        Array.from({ length: 400 }, () => core.deps.db.read("select pg_sleep(0.1)")),
      ),
    end: nothing,
  },
  redis_locks_away: redisAway,
  redis_cache_away: redisAway,
  redis_line_away: redisAway,
  redis_memory: {
    async begin() {
      const [, used] = /used_memory:(\d+)/.exec(await admin.info("memory")) ?? [];
      await admin.config("SET", "maxmemory", String(Math.floor(Number(used) * 1.1)));
    },
    end: () => admin.config("SET", "maxmemory", "0"),
  },
  redis_locks_evicted: {
    async begin() {
      const [, used] = /used_memory:(\d+)/.exec(await admin.info("memory")) ?? [];
      await admin.config("SET", "maxmemory-policy", "allkeys-lru");
      await admin.config("SET", "maxmemory", String(Number(used) + 200_000));
      for (let n = 0; n < 200; n += 1) await admin.set(`filler:${n}`, "x".repeat(10_000));
      await admin.config("SET", "maxmemory", "0");
      await admin.config("SET", "maxmemory-policy", "noeviction");
    },
    end: nothing,
  },
  redis_slow: { begin: () => admin.client("PAUSE", 900), end: () => admin.ping() },
  holds_overdue: {
    begin: () =>
      write(`insert into holds (event_id, id, place, account, request, total_amount, currency,
          units, expires_at, cap_at)
        values ('e', 'hold_1', 'p', 'p', '{}', 0, 'EUR', 1, now() - interval '1 minute', now())`),
    end: () => write("delete from holds where id = 'hold_1'"),
  },
  outbox_behind: {
    begin: () =>
      write(`insert into outbox (id, kind, payload, created_at)
        values ('out_old', 'x', '{}', now() - interval '5 minutes')`),
    end: () => write("delete from outbox"),
  },
  jobs_failing: {
    async begin() {
      let runs = 0;
      const job = runEvery(core.deps, {
        name: "failing",
        everyMs: 1,
        run: () => {
          runs += 1;
          return Promise.reject(new Error("not now"));
        },
      });
      await expect.poll(() => runs).toBeGreaterThan(5);
      await job.stop();
    },
    end: nothing,
  },
  payment_unknown: {
    begin: () =>
      attempt(`state = 'unknown', sent_at = now() - interval '6 minutes', captured_amount = null,
        captured_currency = null, settled = null`),
    end: () =>
      attempt(`state = 'succeeded', captured_amount = 1, captured_currency = 'TRY',
        settled = 'order'`),
  },
  payment_unsettled: {
    begin: () => attempt("settled = null"),
    end: () => attempt("settled = 'order'"),
  },
  payment_review: {
    begin: () => attempt("settled = 'review'"),
    end: () => attempt("settled = 'order'"),
  },
  double_charges: { begin: () => refund("duplicate", "1 minute"), end: noRefund },
  same_again: {
    begin: () =>
      write(`insert into payment_attempts (id, order_id, intent_id, event_id, key, request_hash,
          provider, method, origin, state, amount, currency, same_again)
        select 'att_again_' || n, order_id, intent_id, event_id, 'again-' || n, 'h', provider,
          method, origin, 'failed', 1, 'TRY', true
        from payment_attempts, generate_series(1, 6) n where id = 'att_1'`),
    end: () => write("delete from payment_attempts where id like 'att_again_%'"),
  },
  books_differ: {
    begin: () =>
      write(`with run as (
          insert into reconciliation_runs (id, provider, day) values ('rec_1', 'simulator', now())
          returning id)
        insert into discrepancies (id, run_id, provider, day, class, reference)
        select 'dis_1', id, 'simulator', now(), 'ghost_charge', 'ch_9' from run`),
    end: () => write("update discrepancies set state = 'dismissed'"),
  },
  refunds_behind: { begin: () => refund("a test", "2 hours"), end: noRefund },
  webhooks_parked: {
    begin: () =>
      write(`insert into webhook_events (provider, provider_event_id, type, payload, state)
        values ('simulator', 'evt_1', 'charge.succeeded', '{}', 'parked')`),
    end: () => write("delete from webhook_events"),
  },
  gate_away: {
    begin: async () => Object.assign(gate, { edgeOrigin: "http://127.0.0.1:9" }),
    end: async () => Object.assign(gate, { edgeOrigin: house.gate.origin }),
    deps: () => ({ config: { ...core.deps.config, ...gate } }),
  },
  mails_behind: {
    begin: () =>
      write(`insert into mails (message_id, kind, state, created_at)
        values ('m1', 'tickets', 'sending', now() - interval '6 minutes')`),
    end: () => write("update mails set state = 'sent' where message_id = 'm1'"),
  },
  webhooks_behind: {
    begin: () =>
      write(`with endpoint as (
          insert into webhook_endpoints (id, event_id, url, kinds, sealed_secret, created_by)
          values ('whk_1', 'e', 'https://shop.test', '{order.paid}', 's', 'test') returning id)
        insert into webhook_deliveries (id, endpoint_id, outbox_id, event_id, kind, payload,
          created_at)
        select 'del_1', id, 'out_1', 'e', 'order.paid', '{}', now() - interval '2 hours'
        from endpoint`),
    end: () => write("delete from webhook_endpoints"),
  },
};

describe("an alarm", () => {
  it("of every name has a cause here", () => {
    expect(Object.keys(CAUSES).sort()).toEqual(RULES.map(({ name }) => name).sort());
  });

  // How long it must last is the judge's matter, which is given the time in its own tests.
  it.each(RULES.map((rule) => [rule.name, { ...rule, forMs: 0 }] as const))(
    "%s is told when it is caused, and again when it is over",
    async (name, rule) => {
      const cause = CAUSES[name];
      if (!cause) throw new Error("every alarm has a cause");
      await untilReady(true);
      const job = alarmJob([rule]);
      const look = async () => {
        const ctx = { ...jobCtx(core.deps, "alarms", "req_alarms-01"), ...cause.deps?.() };
        await runPaymentFigures(jobCtx(house.deps, "figures", "req_alarms-02"));
        if (!name.startsWith("database")) await runPaymentFigures(ctx);
        if (name.endsWith("_behind")) await figuresJob.run(ctx);
        await job.run(ctx);
      };
      // What the last cause cut may still be coming back.
      const quietly = async () => {
        told.length = 0;
        await look();
        return told;
      };
      await expect.poll(quietly, { timeout: 15_000, interval: 200 }).toEqual([]);
      await cause.begin();
      await look();
      expect(told).toMatchObject([{ name, state: "firing", threshold: rule.above }]);
      expect(told[0]?.value).toBeGreaterThan(rule.above);
      await cause.end();
      await expect
        .poll(() => look().then(() => told), { timeout: 15_000, interval: 200 })
        .toMatchObject([{ state: "firing" }, { name, state: "ended", since: told[0]?.since }]);
    },
  );
});
