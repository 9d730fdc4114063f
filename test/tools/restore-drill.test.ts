// A disaster, rehearsed: a backup is taken while tickets are sold, more are sold, the machine is lost.
// The drill on the restored copy lists exactly what was charged and refunded after the backup.
import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../core/migrate.ts";
import type { HoldView } from "../../shared/contract/holds.ts";
import { buildPages } from "../../tools/build.ts";
import { ASSETS_DIR } from "../../tools/gate/start-gate.ts";
import { startPostgres } from "../../tools/services/postgres.ts";
import { createProcesses, type Processes } from "../../tools/services/processes.ts";
import { ROOT_DIR, STATE_DIR } from "../../tools/services/root.ts";
import { makeKeys } from "../../tools/stack/keys.ts";
import { type Stack, startStack } from "../../tools/stack.ts";
import { createOpenEvent } from "../support/events.ts";
import { joinQueue, request } from "../support/fan.ts";
import { claimRedis } from "../support/redis.ts";

const run = `test-${process.pid}-${randomBytes(4).toString("hex")}`;
const started: Processes[] = [];
const processesIn = (name: string): Processes => {
  const processes = createProcesses(join(STATE_DIR, `${run}-${name}`));
  started.push(processes);
  return processes;
};

let stack: Stack;
let databaseUrl: string;

beforeAll(async () => {
  const processes = processesIn("main");
  if (!existsSync(ASSETS_DIR)) await buildPages();
  databaseUrl = (await startPostgres(processes, { throwAway: true })).url;
  await migrate(databaseUrl);
  const [line, locks, cache] = await Promise.all([claimRedis(), claimRedis(), claimRedis()]);
  stack = await startStack({
    processes,
    keys: await makeKeys(new Date()),
    nodeEnv: "test",
    services: {
      databaseUrl,
      redisUrl: line.url,
      redisLocksUrl: locks.url,
      redisCacheUrl: cache.url,
    },
  });
});
afterAll(async () => {
  for (const processes of started) {
    await processes.stopAll();
    rmSync(processes.dir, { recursive: true, force: true });
  }
});

async function buy(event: string, seat: string): Promise<{ order: string; token: string }> {
  const fan = await joinQueue(stack, event);
  await fan.admit();
  const hold = await fan.callCore<HoldView>("POST", `/v1/events/${event}/holds`, {
    body: { seats: [seat] },
  });
  const order = await fan.callCore<{ id: string; orderToken: string }>("POST", "/v1/orders", {
    body: { holdId: hold.body.id, buyer: { email: "fan@example.com", name: "A Fan" } },
  });
  const paid = await request("POST", `${stack.core}/v1/orders/${order.body.id}/attempts`, {
    body: { method: "pm_ok" },
    headers: { authorization: `Order ${order.body.orderToken}`, "idempotency-key": "once" },
  });
  expect(paid.status, paid.text).toBe(201);
  return { order: order.body.id, token: order.body.orderToken };
}

/** A base backup of the running server by its own low-level API, as every backup tool makes it. */
async function backUp(to: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const [where] = await sql<{ dir: string }[]>`select current_setting('data_directory') as dir`;
    const dir = where?.dir ?? "";
    await sql`select pg_backup_start('drill', true)`;
    mkdirSync(to, { recursive: true });
    // Files may come and go meanwhile: the log makes good for it.
    spawnSync("cp", ["-a", `${dir}/.`, to]);
    const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
    spawnSync("cp", ["-a", `${dir}/pg_wal/.`, join(to, "pg_wal")]);
    writeFileSync(join(to, "backup_label"), label?.labelfile ?? "");
    rmSync(join(to, "postmaster.pid"), { force: true });
  } finally {
    await sql.end();
  }
}

function drill(restored: string): Promise<{ code: number; out: string; err: string }> {
  const { keys, services } = stack;
  const env = {
    PATH: process.env["PATH"] ?? "",
    CORE_ORIGIN: stack.core,
    EDGE_ORIGIN: stack.edge,
    DATABASE_URL: services.databaseUrl,
    REDIS_LOCKS_URL: services.redisLocksUrl,
    REDIS_CACHE_URL: services.redisCacheUrl,
    CORE_KEYS: JSON.stringify(keys.coreKeys),
    CORE_SECRET: keys.coreSecret,
    ORGANIZER_KEY: keys.organizerKey,
    PSP_ORIGIN: stack.psp,
    PSP_SECRET: keys.pspSecret,
    PSP_WEBHOOK_SECRET: keys.pspWebhookSecret,
  };
  const args = [join(ROOT_DIR, "tools/restore-drill.ts"), "--restored", restored, "--json"];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

test("what was charged and refunded after the backup is listed, and nothing else", async () => {
  const { event } = await createOpenEvent(stack);
  const before = await buy(event, "A-1-1");
  const backup = join(STATE_DIR, `${run}-backup`);
  await backUp(backup);
  const after = [await buy(event, "A-1-2"), await buy(event, "A-1-3")];
  const session = await request<{ token: string }>("POST", `${stack.core}/v1/organizer/sessions`, {
    body: { key: stack.organizerKey },
  });
  const refunded = await request(
    "POST",
    `${stack.core}/v1/organizer/orders/${before.order}/refunds`,
    {
      body: { reason: "a wish" },
      headers: {
        authorization: `Bearer ${session.body.token}`,
        "idempotency-key": "refund-once",
      },
    },
  );
  expect(refunded.status, refunded.text).toBe(201);

  const restored = await startPostgres(processesIn("restored"), { throwAway: true, backup });
  rmSync(backup, { recursive: true, force: true });
  const { code, out, err } = await drill(restored.url);
  expect(err).toBe("");
  expect(code).toBe(1);
  const found: {
    charges: { order: string; amount: number; currency: string }[];
    refunds: { order: string }[];
  } = JSON.parse(out);
  expect(found.charges.map(({ order }) => order).toSorted()).toEqual(
    after.map(({ order }) => order).toSorted(),
  );
  expect(found.charges).toMatchObject([
    { amount: 10_000, currency: "TRY" },
    { amount: 10_000, currency: "TRY" },
  ]);
  expect(found.refunds.map(({ order }) => order)).toEqual([before.order]);

  // The books that were not lost know it all.
  expect(await drill(databaseUrl)).toMatchObject({ code: 0 });
  const empty = await drill("postgres://nobody@127.0.0.1:9/none");
  expect(empty.code).toBe(2);
});
