// Every fault that a run can inject: how it begins, how it ends, and how one counts what it really hit.
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import type { Load, Tier } from "./load.ts";
import { NETWORK_FAULTS } from "./network.ts";
import { childrenOf } from "./rolling.ts";
import type { Part } from "./town.ts";

export type Fault = {
  readonly name: string;
  /** How long it lasts at least; longer until it has hit something. */
  readonly lastsMs: number;
  begin(load: Load): Promise<void>;
  /** Calls, connections or answers that it has cut or delayed so far. */
  hits(load: Load): Promise<number>;
  end(load: Load): Promise<void>;
};

const nothing = async (): Promise<void> => undefined;

function networkFaults(name: "postgres" | "line" | "locks"): Fault[] {
  return NETWORK_FAULTS.map((fault) => ({
    name: `${name}: ${fault}`,
    lastsMs: fault === "black-hole" ? 1_200 : 800,
    begin: async ({ town }) => town.networks[name].set(fault),
    hits: async ({ town }) => town.networks[name].hits(),
    end: async ({ town }) => town.networks[name].set("pass"),
  }));
}

const TIERS: Readonly<Record<Part, readonly Tier[]>> = {
  core: ["core"],
  gate: ["gate"],
  "redis-line": ["gate"],
  "redis-locks": ["core"],
  postgres: ["core"],
};

const inFlight = (load: Load, part: Part): number =>
  TIERS[part].reduce((sum, tier) => sum + load.inFlight[tier], 0);

/** Nobody in flight means nothing to cut: waits until somebody is, for a while. */
async function waitForVictims(load: Load, part: Part): Promise<number> {
  for (let tries = 0; tries < 300 && inFlight(load, part) === 0; tries += 1) await sleep(10);
  return inFlight(load, part);
}

function killOf(part: Part, restartAfterMs: number): Fault {
  let cut = 0;
  return {
    name: `${part}: kill -9`,
    lastsMs: restartAfterMs,
    async begin(load) {
      cut = await waitForVictims(load, part);
      await load.town.kill(part);
    },
    hits: async () => cut,
    end: (load) => load.town.start(part),
  };
}

/** PostgreSQL is many processes; the others are one. */
function pidsOf(load: Load, part: Part): number[] {
  const pid = load.town.pid(part);
  if (part !== "postgres") return [pid];
  return [pid, ...childrenOf(pid)];
}

function stopOf(part: Part, lastsMs: number): Fault {
  let stopped: number[] = [];
  let most = 0;
  const send = (signal: NodeJS.Signals): void => {
    for (const pid of stopped) {
      try {
        process.kill(pid, signal);
      } catch {
        // A backend may have ended by itself.
      }
    }
  };
  return {
    name: `${part}: SIGSTOP`,
    lastsMs,
    async begin(load) {
      most = await waitForVictims(load, part);
      stopped = pidsOf(load, part);
      send("SIGSTOP");
    },
    async hits(load) {
      most = Math.max(most, inFlight(load, part));
      return most;
    },
    async end() {
      send("SIGCONT");
    },
  };
}

function terminateBackends(): Fault {
  let ended = 0;
  const strike = async (load: Load): Promise<void> => {
    const rows = await load.town.db.read<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and application_name <> 'checker'
          and pid <> pg_backend_pid() and state <> 'idle'`,
    );
    ended += rows.filter((row) => row.ended).length;
  };
  return {
    name: "postgres: pg_terminate_backend",
    lastsMs: 300,
    async begin(load) {
      ended = 0;
      await strike(load);
    },
    async hits(load) {
      await strike(load);
      return ended;
    },
    end: nothing,
  };
}

/** A Redis that answers, and refuses every write. */
function refusingWrites(): Fault {
  const onLine = async <T>(load: Load, work: (client: Redis) => Promise<T>): Promise<T> => {
    const client = new Redis(load.town.lineUrl);
    client.on("error", () => undefined);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  };
  return {
    name: "redis-line: out of memory",
    lastsMs: 1_500,
    begin: (load) =>
      onLine(load, async (client) => {
        await client.config("RESETSTAT");
        await client.config("SET", "maxmemory", "1");
      }),
    hits: (load) =>
      onLine(load, async (client) => {
        const stats = await client.info("errorstats");
        return Number(/errorstat_OOM:count=(\d+)/.exec(stats)?.[1] ?? 0);
      }),
    end: (load) =>
      onLine(load, async (client) => void (await client.config("SET", "maxmemory", "0"))),
  };
}

function wiped(): Fault {
  let keys = 0;
  return {
    name: "redis-line: wiped",
    lastsMs: 200,
    async begin(load) {
      const client = new Redis(load.town.lineUrl);
      client.on("error", () => undefined);
      keys = await client.dbsize();
      await client.flushall();
      client.disconnect();
    },
    hits: async () => keys,
    end: nothing,
  };
}

function webhooks(mode: "dup" | "reorder" | "off"): Fault {
  let since = new Date();
  const set = async (load: Load, to: string): Promise<void> => {
    await fetch(`${load.town.psp}/_control`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ webhooks: to }),
    });
  };
  return {
    name: `webhooks: ${mode}`,
    lastsMs: 1_500,
    async begin(load) {
      since = new Date();
      await set(load, mode);
    },
    async hits(load) {
      // `off` is counted by the payments of which nobody was told.
      const [row] = await load.town.db.read<{ n: number }>(
        mode === "off"
          ? "select count(*)::int as n from payment_attempts where sent_at > $1"
          : "select count(*)::int as n from webhook_events where received_at > $1",
        [since],
      );
      return row?.n ?? 0;
    },
    end: (load) => set(load, "on"),
  };
}

export const FAULTS: readonly Fault[] = [
  ...networkFaults("postgres"),
  ...networkFaults("line"),
  ...networkFaults("locks"),
  killOf("core", 300),
  killOf("gate", 300),
  killOf("redis-line", 600),
  killOf("redis-locks", 600),
  killOf("postgres", 300),
  stopOf("core", 1_500),
  stopOf("gate", 1_500),
  stopOf("redis-line", 1_500),
  stopOf("redis-locks", 1_500),
  stopOf("postgres", 1_500),
  terminateBackends(),
  refusingWrites(),
  wiped(),
  webhooks("dup"),
  webhooks("reorder"),
  webhooks("off"),
];

/** The short run's: one of every kind, those that lose the most among them. */
export const SHORT = [
  "postgres: reset-before",
  "postgres: reset-after",
  "postgres: black-hole",
  "postgres: pg_terminate_backend",
  "postgres: kill -9",
  "line: reset-after",
  "core: kill -9",
  "core: SIGSTOP",
  "gate: kill -9",
  "redis-line: kill -9",
  "redis-line: out of memory",
  "redis-locks: kill -9",
  "webhooks: dup",
] as const;
