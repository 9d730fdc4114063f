import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { figuresJob } from "../../../core/alarms/figures.ts";
import { createJudge, type Notice } from "../../../core/alarms/judge.ts";
import { readFacts, redisFacts } from "../../../core/alarms/readings.ts";
import { RULES, type Rule, type Sample } from "../../../core/alarms/rules.ts";
import { alarmJob, samplesOf } from "../../../core/alarms/watch.ts";
import type { Job } from "../../../core/jobs/registry.ts";
import { jobCtx } from "../../../core/jobs/schedule.ts";
import { runPaymentFigures } from "../../../core/payments/figures.ts";
import { startRedis } from "../../support/redis.ts";
import { type House, openHouse } from "../house.ts";

const readJson = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`../../../ops/${name}`, import.meta.url), "utf8"));

const sampleFor = (rule: Rule, value: number): Sample => ({
  metric: rule.metric,
  labels: rule.labels ?? {},
  value,
});

describe("every alarm", () => {
  test.each(RULES.map((rule) => [rule.name, rule] as const))(
    "%s rings once when it has lasted, and is told once when it ends",
    (_name, rule) => {
      const judge = createJudge([rule]);
      const good = 0;
      const bad = rule.above + 1;
      expect(judge.look([sampleFor(rule, good)], 0)).toEqual([]);
      const begun = judge.look([sampleFor(rule, good + bad)], 1_000);
      if (rule.forMs > 0) {
        expect(begun).toEqual([]);
        expect(judge.look([sampleFor(rule, bad)], 1_000 + rule.forMs - 1)).toEqual([]);
      }
      const rung = rule.forMs > 0 ? judge.look([sampleFor(rule, bad)], 1_000 + rule.forMs) : begun;
      expect(rung).toEqual([
        {
          name: rule.name,
          state: "firing",
          value: bad,
          threshold: rule.above,
          since: "1970-01-01T00:00:01.000Z",
          meaning: rule.meaning,
        },
      ]);
      const still = rule.read === "rise" ? 2 * bad : bad;
      expect(judge.look([sampleFor(rule, still)], 200_000)).toEqual([]);
      const after = rule.read === "rise" ? still : good;
      expect(judge.look([sampleFor(rule, after)], 300_000)).toMatchObject([
        { name: rule.name, state: "ended", since: "1970-01-01T00:00:01.000Z" },
      ]);
      expect(judge.look([sampleFor(rule, after)], 400_000)).toEqual([]);
    },
  );

  test("taken over from a process that has gone ends also where nobody has its metric", () => {
    const [rule] = RULES;
    if (!rule) throw new Error("there are rules");
    const judge = createJudge([rule]);
    judge.adopt({ name: rule.name, sinceMs: 1_000 }, 50_000);
    judge.adopt({ name: "no rule of ours any more", sinceMs: 1_000 }, 50_000);
    expect(judge.ringing()).toEqual([{ name: rule.name, sinceMs: 1_000 }]);
    expect(judge.look([], 109_999)).toEqual([]);
    expect(judge.look([], 110_000)).toMatchObject([{ name: rule.name, state: "ended" }]);
    expect(judge.ringing()).toEqual([]);
    judge.adopt({ name: rule.name, sinceMs: 1_000 }, 200_000);
    expect(judge.look([sampleFor(rule, rule.above + 1)], 201_000)).toEqual([]);
    expect(judge.look([], 900_000)).toEqual([]);
  });

  test("that did not last rings nobody", () => {
    const rule = RULES.find(({ forMs }) => forMs > 0);
    if (!rule) throw new Error("some alarm waits");
    const judge = createJudge([rule]);
    judge.look([sampleFor(rule, rule.above + 1)], 0);
    judge.look([sampleFor(rule, rule.above)], rule.forMs - 1);
    expect(judge.look([sampleFor(rule, rule.above + 1)], rule.forMs + 1)).toEqual([]);
  });

  test("is told to Prometheus in the same words", async () => {
    const file = await readJson("prometheus-rules.json");
    const expected = RULES.map(({ name, metric, labels, read, above, forMs, meaning }) => {
      const pairs = Object.entries(labels ?? {}).map(([label, value]) => `${label}="${value}"`);
      const selected = metric + (pairs.length > 0 ? `{${pairs.join(",")}}` : "");
      const reading = read === "value" ? `max(${selected})` : `sum(increase(${selected}[1m]))`;
      return {
        alert: name,
        expr: `${reading} > ${above}`,
        for: `${forMs / 1000}s`,
        labels: { service: "sira" },
        annotations: { summary: meaning },
      };
    });
    expect(file).toEqual({ groups: [{ name: "sira", rules: expected }] });
  });
});

describe("in a running core", () => {
  let house: House;
  let url: string;
  let closeWebhook: () => void;
  let refuse = false;
  const told: Notice[] = [];
  const line = { stale: true, waiting: 40, inside: 7, ratePerMinute: 60, measuredPerMinute: 58 };

  beforeAll(async () => {
    const server = createServer((request, response) => {
      if (request.url === "/api/queue/on-sale/status") {
        response.end(JSON.stringify(line));
        return;
      }
      if (request.method === "GET") {
        response.writeHead(request.url === "/readyz" ? 503 : 404).end();
        return;
      }
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        if (!refuse) told.push(JSON.parse(Buffer.concat(chunks).toString()));
        response.statusCode = refuse ? 500 : 204;
        response.end();
      });
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the webhook has a port");
    url = `http://127.0.0.1:${address.port}`;
    closeWebhook = () => server.close();
    house = await openHouse({ env: { ALARM_WEBHOOK_URL: url, OUTBOUND_LOCAL: "true" } });
  });
  afterAll(async () => {
    closeWebhook();
    await house.close();
  });

  const soon = (name: string): Rule[] =>
    RULES.filter((rule) => rule.name === name).map((rule) => ({ ...rule, forMs: 0 }));

  test("every metric that an alarm or the dashboard reads is one that we have", async () => {
    const ctx = jobCtx(house.deps, "alarms", "req_alarms-01");
    const { locks, cache } = house.deps.redis;
    await expect.poll(() => locks.available() && cache.available(), { timeout: 5_000 }).toBe(true);
    await alarmJob([]).run(ctx);
    await runPaymentFigures(ctx);
    await figuresJob.run(ctx);
    ctx.metrics.counter("sira_job_failed_total", "Runs that failed.", ["job"]);
    ctx.metrics.counter("sira_job_done_total", "Things done by jobs.", ["job"]);
    await house.request("GET", "/healthz");
    const known = new Set(
      (await house.deps.metrics.registry.getMetricsAsJSON()).map((m) => m.name),
    );
    for (const { name, metric } of RULES) expect(known, name).toContain(metric);
    const dashboard = JSON.stringify(await readJson("grafana-dashboard.json"));
    for (const [metric = ""] of dashboard.matchAll(/sira_[a-z0-9_]+/g))
      expect(known).toContain(metric.replace(/_(bucket|count|sum)$/, ""));
  });

  test("the gate's lines are counted for each event on sale, and leave when it is over", async () => {
    await house.deps.db.write(`insert into events (event_id, name, venue, starts_at, sale_opens_at,
        time_zone, currency, per_order_max, per_account_max)
      select id, id, 'Hall', now() + interval '9 days', now(), 'Europe/Istanbul', 'TRY', 4, 4
      from unnest(array['on-sale', 'roomless']) id`);
    const config = { ...house.deps.config, edgeOrigin: url };
    const ctx = { ...jobCtx(house.deps, "alarms", "req_alarms-01"), config };
    const read = async () => {
      await readFacts(ctx);
      const samples = await samplesOf(house.deps.metrics.registry);
      return Object.fromEntries(
        samples
          .filter(({ metric }) => /^sira_(line|gate)_/.test(metric))
          .map(({ metric, labels, value }) => [`${metric} ${labels["event"] ?? ""}`, value]),
      );
    };
    expect(await read()).toEqual({
      "sira_gate_away ": 1,
      "sira_line_stale on-sale": 1,
      "sira_line_waiting on-sale": 40,
      "sira_line_inside on-sale": 7,
      "sira_line_rate_per_minute on-sale": 60,
      "sira_line_admitted_per_minute on-sale": 58,
    });
    await house.deps.db.write("update events set state = 'cancelled'");
    expect(await read()).toEqual({ "sira_gate_away ": 1 });
  });

  test("a Redis that goes away rings, and its return ends it", async () => {
    const redis = await startRedis();
    const core = await openHouse({
      beside: house,
      env: { ALARM_WEBHOOK_URL: url, OUTBOUND_LOCAL: "true", REDIS_CACHE_URL: redis.url },
    });
    const job = alarmJob(soon("redis_cache_away"));
    const run = () => job.run(jobCtx(core.deps, "alarms", "req_alarms-02"));
    await expect.poll(() => core.deps.redis.cache.available(), { timeout: 5_000 }).toBe(true);
    await run();
    expect(told).toEqual([]);
    await redis.stop();
    await expect.poll(() => core.deps.redis.cache.client.status).not.toBe("ready");
    refuse = true;
    await expect(run()).rejects.toThrow("500");
    refuse = false;
    await run();
    expect(told).toMatchObject([{ name: "redis_cache_away", state: "firing", value: 1 }]);
    const again = await startRedis({ port: redis.port });
    await expect.poll(() => core.deps.redis.cache.client.status, { timeout: 8_000 }).toBe("ready");
    await run();
    expect(told).toMatchObject([{ state: "firing" }, { name: "redis_cache_away", state: "ended" }]);
    await core.close();
    await again.stop();
  });

  test("whose process has died, is ended by another, told once and with its beginning", async () => {
    const rule: Rule = {
      name: "level",
      metric: "sira_test_level",
      read: "value",
      above: 1,
      forMs: 0,
      meaning: "For this test.",
    };
    const env = { ALARM_WEBHOOK_URL: url, OUTBOUND_LOCAL: "true" };
    const others = [
      await openHouse({ beside: house, env }),
      await openHouse({ beside: house, env }),
    ];
    for (const { redis } of others.map(({ deps }) => deps))
      await expect.poll(() => redis.locks.available(), { timeout: 5_000 }).toBe(true);
    const set = (at: House, value: number) =>
      at.deps.metrics.gauge("sira_test_level", "A level.").set(value);
    const run = (at: House, job: Job, laterMs: number) => {
      const ctx = jobCtx(at.deps, "alarms", "req_alarms-05");
      return job.run({ ...ctx, clock: { now: () => Date.now() + laterMs } });
    };
    told.length = 0;
    set(house, 5);
    await run(house, alarmJob([rule]), 0);
    expect(told).toMatchObject([{ name: "level", state: "firing" }]);
    const [{ since } = { since: "" }] = told;

    // Not dead yet: nobody speaks for it. Dead: one of the others does.
    const jobs = others.map((at) => ({ at, job: alarmJob([rule]) }));
    for (const { at } of jobs) set(at, 0);
    told.length = 0;
    await Promise.all(jobs.map(({ at, job }) => run(at, job, 20_000)));
    expect(told).toEqual([]);
    await Promise.all(jobs.map(({ at, job }) => run(at, job, 31_000)));
    expect(told).toMatchObject([{ name: "level", state: "ended", since }]);
    for (const at of others) await at.close();
  });

  test("a full Redis, an old outbox row and an overdue hold are seen", async () => {
    const full = await startRedis({ args: ["--maxmemory", "4mb"] });
    const core = await openHouse({ beside: house, env: { REDIS_URL: full.url } });
    await house.deps.db.write(
      `insert into outbox (id, kind, payload, created_at)
       values ('out_old', 'x', '{}', now() - interval '5 minutes')`,
    );
    await house.deps.db.write(
      `insert into holds (event_id, id, place, account, request, total_amount, currency, units,
         expires_at, cap_at)
       values ('e', 'hold_1', 'p', 'p', '{}', 0, 'EUR', 1, now() - interval '1 minute', now())`,
    );
    await alarmJob([]).run(jobCtx(core.deps, "alarms", "req_alarms-03"));
    const samples = await samplesOf(core.deps.metrics.registry);
    const value = (metric: string, side?: string) =>
      samples.find((s) => s.metric === metric && (side === undefined || s.labels["side"] === side))
        ?.value ?? 0;
    expect(value("sira_outbox_age_seconds")).toBeGreaterThan(200);
    expect(value("sira_holds_overdue")).toBe(1);
    expect(value("sira_redis_memory_ratio", "line")).toBeGreaterThan(0.1);
    expect(value("sira_redis_away", "line")).toBe(0);
    await core.close();
    await full.stop();
  });

  test("a database that is away rings", async () => {
    const core = await openHouse({
      beside: house,
      env: { DATABASE_URL: "postgres://nobody@127.0.0.1:9/none" },
    });
    await alarmJob([]).run(jobCtx(core.deps, "alarms", "req_alarms-04"));
    const samples = await samplesOf(core.deps.metrics.registry);
    expect(samples.find(({ metric }) => metric === "sira_db_away")?.value).toBe(1);
    await core.close();
  });

  test("INFO without a limit is no ratio", () => {
    expect(redisFacts("used_memory:100\r\nmaxmemory:0\r\n").ratio).toBe(0);
    expect(redisFacts("used_memory:100\r\nmaxmemory:200\r\nevicted_keys:3\r\n")).toMatchObject({
      ratio: 0.5,
      evicted: 3,
    });
  });
});
