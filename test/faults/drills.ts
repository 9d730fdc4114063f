// The faults of a drill that the storm does not have: each one is a page of the runbook, begun on the
// running system and mended as the page says.
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import postgres from "postgres";
import { rotateKeys } from "../../tools/stack/keys.ts";
import type { Fault } from "./catalogue.ts";
import type { Load } from "./load.ts";
import { EVENT } from "./sale.ts";

const KEEP_RETIRED_MS = 86_400_000;
const SHIFTED_CLOCK = new URL("shifted-clock.ts", import.meta.url).href;
const nothing = async (): Promise<void> => undefined;

async function onLine<T>(load: Load, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(load.town.lineUrl);
  client.on("error", () => undefined);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

const lockWaits = async (load: Load): Promise<number> => {
  const [row] = await load.town.db.read<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.n ?? 0;
};

/** The line of some seconds ago, as a replica or a backup would have it. */
function oldData(): Fault {
  let keys = 0;
  const file = (load: Load) => join(load.town.dir, "redis-line", "dump.rdb");
  return {
    name: "redis-line: restarted with old data",
    lastsMs: 0,
    async begin(load) {
      await onLine(load, (client) => client.save());
      keys = await onLine(load, (client) => client.dbsize());
      cpSync(file(load), `${file(load)}.old`);
      await sleep(4_000);
      await load.town.kill("redis-line");
      cpSync(`${file(load)}.old`, file(load));
    },
    hits: async () => keys,
    async end(load) {
      await load.town.start("redis-line");
      for (const path of [file(load), `${file(load)}.old`]) if (existsSync(path)) rmSync(path);
    },
  };
}

function pausedLine(): Fault {
  let most = 0;
  return {
    name: "redis-line: paused",
    lastsMs: 5_000,
    begin: (load) => onLine(load, async (client) => void (await client.client("PAUSE", 5_000))),
    async hits(load) {
      most = Math.max(most, load.inFlight.gate);
      return most;
    },
    end: nothing,
  };
}

/** Somebody's open psql: `lock` is what it did before it went to lunch. */
function openTransaction(name: string, lock: string): Fault {
  let sql: postgres.Sql | undefined;
  let most = 0;
  let release: (() => void) | undefined;
  return {
    name,
    lastsMs: 8_000,
    async begin(load) {
      const connection = postgres(load.town.databaseUrl, { max: 1, onnotice: () => {} });
      sql = connection;
      const begun = Promise.withResolvers<void>();
      const until = Promise.withResolvers<void>();
      release = until.resolve;
      connection
        .begin(async (tx) => {
          await tx.unsafe(lock);
          begun.resolve();
          await until.promise;
        })
        .catch(begun.resolve);
      await begun.promise;
    },
    async hits(load) {
      most = Math.max(most, await lockWaits(load));
      return most;
    },
    /** As the page says: end whoever is idle in a transaction. */
    async end(load) {
      await load.town.db.write(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and state = 'idle in transaction'
            and pid <> pg_backend_pid()`,
      );
      release?.();
      await sql?.end({ timeout: 1 });
    },
  };
}

function restartedPostgres(): Fault {
  let cut = 0;
  return {
    name: "postgres: restart",
    lastsMs: 0,
    async begin(load) {
      cut = load.inFlight.core;
      await load.town.end("postgres", "SIGINT");
    },
    hits: async () => Math.max(1, cut),
    end: (load) => load.town.start("postgres"),
  };
}

function silentProvider(): Fault {
  const calls = async (load: Load) => {
    const [row] = await load.town.db.read<{ n: number }>(
      "select count(*)::int as n from payment_attempts where state in ('sent', 'unknown')",
    );
    return row?.n ?? 0;
  };
  let most = 0;
  return {
    name: "provider: silent",
    lastsMs: 12_000,
    begin: async ({ town }) => void process.kill(town.pspPid, "SIGSTOP"),
    async hits(load) {
      most = Math.max(most, await calls(load));
      return most;
    },
    end: async ({ town }) => void process.kill(town.pspPid, "SIGCONT"),
  };
}

/** A gate on a copy of the storage, beside the one that serves. */
function twinGate(): Fault {
  let twin: Awaited<ReturnType<Load["town"]["startTwinGate"]>> | undefined;
  let answers = 0;
  return {
    name: "gate: two of them",
    lastsMs: 10_000,
    async begin({ town }) {
      twin = await town.startTwinGate();
      for (let tries = 0; tries < 20; tries += 1) {
        const answer = await fetch(`${twin.origin}/api/queue/${EVENT}/status`).catch(
          () => undefined,
        );
        if (answer?.ok === true) answers += 1;
        await sleep(250);
      }
    },
    hits: async () => answers,
    async end({ town }) {
      await twin?.stop();
      await town.end("gate");
      await town.start("gate");
    },
  };
}

async function rotate({ town }: Load): Promise<void> {
  const now = new Date();
  town.next.gateKeys = await rotateKeys(town.next.gateKeys, now, KEEP_RETIRED_MS);
  town.next.coreKeys = await rotateKeys(town.next.coreKeys, now, KEEP_RETIRED_MS);
  for (const part of ["core", "gate"] as const) {
    await town.end(part);
    await town.start(part);
  }
}

/** Publish, then sign: two steps, each a new start of both. */
function rotatedKeys(): Fault {
  return {
    name: "keys: rotated",
    lastsMs: 2_000,
    begin: rotate,
    hits: async ({ town }) => town.next.gateKeys.filter(({ state }) => state === "next").length,
    end: rotate,
  };
}

function wrongClock(): Fault {
  const restart = async ({ town }: Load): Promise<void> => {
    await town.end("core");
    await town.start("core");
  };
  return {
    name: "clocks: the core 30 s ahead",
    lastsMs: 10_000,
    async begin(load) {
      load.town.next.coreArgs = ["--import", SHIFTED_CLOCK];
      await restart(load);
    },
    hits: async () => 1,
    async end(load) {
      load.town.next.coreArgs = [];
      await restart(load);
    },
  };
}

/** Many clients that ask again at once whatever they are told. */
function hammer(
  name: string,
  clients: number,
  call: (load: Load, n: number) => Promise<number>,
): Fault {
  let over = false;
  let refused = 0;
  let running: Promise<unknown> = Promise.resolve();
  return {
    name,
    lastsMs: 8_000,
    async begin(load) {
      over = false;
      const one = async (n: number) => {
        while (!over) {
          const status = await call(load, n).catch(() => 0);
          if (status === 0 || status >= 400) refused += 1;
        }
      };
      running = Promise.all(Array.from({ length: clients }, (_, n) => one(n)));
    },
    hits: async () => refused,
    async end() {
      over = true;
      await running;
    },
  };
}

const post = async (url: string, headers: Record<string, string>, body: string) => {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  await answer.arrayBuffer();
  return answer.status;
};

const retryStorm = () =>
  hammer("clients: retry without a pause", 200, ({ town }, n) =>
    n % 2 === 0
      ? post(`${town.core}/v1/events/${EVENT}/holds`, { authorization: "Bearer x" }, "{}")
      : post(`${town.edge}/api/queue/${EVENT}/turn`, { authorization: "Place x" }, "{}"),
  );

const HOSTILE = [
  "[".repeat(50_000),
  `{"seats":"${"x".repeat(300_000)}"}`,
  '{"__proto__":{}}',
  "\0",
];

const hostile = () =>
  hammer("clients: hostile tokens and bodies", 16, ({ town }, n) =>
    post(
      n % 2 === 0
        ? `${town.core}/v1/events/${EVENT}/holds`
        : `${town.edge}/api/queue/${EVENT}/places`,
      { authorization: `Bearer ${"A".repeat(n * 500)}.e30.${"B".repeat(86)}` },
      HOSTILE[n % HOSTILE.length] ?? "",
    ),
  );

export const DRILL_FAULTS: readonly Fault[] = [
  oldData(),
  pausedLine(),
  openTransaction(
    "postgres: idle in transaction",
    "select 1 from rows where section_id = 'A' for update",
  ),
  openTransaction("postgres: pool exhausted", "lock table holds in access exclusive mode"),
  restartedPostgres(),
  silentProvider(),
  twinGate(),
  rotatedKeys(),
  wrongClock(),
  retryStorm(),
  hostile(),
];
