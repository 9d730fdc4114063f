// The whole system with a bad network inside it and every part of it killable: own PostgreSQL that
// keeps what it has promised, two Redis servers, gate, core, payment simulator, mailbox. Its addresses
// stay the same whatever is killed and started again.
import { randomBytes } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { createDb } from "../../core/db/connect.ts";
import type { Db } from "../../core/db/db.ts";
import { createMetrics } from "../../core/metrics/metrics.ts";
import { migrate } from "../../core/migrate.ts";
import type { KeyEntry } from "../../shared/token/keys.ts";
import { startGate } from "../../tools/gate/start-gate.ts";
import { findFreePort } from "../../tools/services/ports.ts";
import { removePostgresData, startPostgres } from "../../tools/services/postgres.ts";
import {
  createProcesses,
  type Processes,
  type Program,
  waitUntilReady,
} from "../../tools/services/processes.ts";
import { startRedis } from "../../tools/services/redis.ts";
import { ROOT_DIR, STATE_DIR } from "../../tools/services/root.ts";
import { type DeploymentKeys, makeKeys } from "../../tools/stack/keys.ts";
import { trustedIssuers } from "../../tools/stack.ts";
import { type Network, startNetwork } from "./network.ts";

/** As in the payment tests: 25 s become 2.5 s, in the core and at the simulator alike. */
const TIME_SCALE = "0.1";
const FAIL_POINTS = new URL("fail-points.ts", import.meta.url).href;
const RESTART_TRIES_MAX = 60;
const NO_EVICTION = ["--maxmemory-policy", "noeviction"];

export const PARTS = ["core", "gate", "redis-line", "redis-locks", "postgres"] as const;
export type Part = (typeof PARTS)[number];

export type Town = {
  readonly edge: string;
  readonly core: string;
  readonly psp: string;
  readonly mailbox: string;
  readonly keys: DeploymentKeys;
  readonly networks: {
    readonly postgres: Network;
    readonly line: Network;
    readonly locks: Network;
  };
  /** Straight to the servers, past the bad network: for checkers. */
  readonly db: Db;
  readonly databaseUrl: string;
  readonly lineUrl: string;
  readonly dir: string;
  readonly coreProcesses: number;
  pid(part: Part): number;
  /** The payment simulator; it may be stopped for a while, and never ended: its ledger is in memory. */
  readonly pspPid: number;
  kill(part: Part): Promise<void>;
  /** Asks it to end, as systemd would, and waits until it has. */
  end(part: Part, signal?: NodeJS.Signals): Promise<void>;
  start(part: Part): Promise<void>;
  /** What the core and the gate are started with from now on. */
  readonly next: { coreArgs: string[]; gateKeys: KeyEntry[]; coreKeys: KeyEntry[] };
  /** A second gate, on a copy of the first one's storage and the same Redis: what must never be. */
  startTwinGate(): Promise<{ readonly origin: string; stop(): Promise<void> }>;
  stop(): Promise<void>;
};

export type TownOptions = {
  /** `npm start` with so many processes, instead of one core process of its own. */
  readonly coreProcesses?: number;
  readonly alarmUrl?: string;
};

export async function startTown(random: () => number, options: TownOptions = {}): Promise<Town> {
  const processes = createProcesses(
    join(STATE_DIR, `test-${process.pid}-${randomBytes(4).toString("hex")}`),
  );
  const ports = {
    edge: await findFreePort(),
    core: await findFreePort(),
    psp: await findFreePort(),
    mailbox: await findFreePort(),
    smtp: await findFreePort(),
    postgres: await findFreePort(),
    line: await findFreePort(),
    locks: await findFreePort(),
  };
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  const keys = await makeKeys(new Date());
  const pids = new Map<Part, number>();
  const server = (port: number) => ({ host: "127.0.0.1", port });
  const networks = {
    postgres: await startNetwork(server(ports.postgres), random),
    line: await startNetwork(server(ports.line), random),
    locks: await startNetwork(server(ports.locks), random),
  };
  const coreEnv = {
    PATH: process.env["PATH"] ?? "",
    NODE_ENV: "test",
    CORE_PORT: String(ports.core),
    CORE_ORIGIN: at(ports.core),
    EDGE_ORIGIN: at(ports.edge),
    PSP_ORIGIN: at(ports.psp),
    DATABASE_URL: `postgres://postgres@127.0.0.1:${networks.postgres.port}/sira`,
    REDIS_LOCKS_URL: `redis://127.0.0.1:${networks.locks.port}/0`,
    REDIS_CACHE_URL: `redis://127.0.0.1:${networks.locks.port}/1`,
    CORE_KEYS: JSON.stringify(keys.coreKeys),
    CORE_SECRET: keys.coreSecret,
    ORGANIZER_KEY: keys.organizerKey,
    PSP_SECRET: keys.pspSecret,
    PSP_WEBHOOK_SECRET: keys.pspWebhookSecret,
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
    REDIS_URL: `redis://127.0.0.1:${networks.line.port}/0`,
    OUTBOUND_LOCAL: "true",
    LOG_LEVEL: "warn",
    ...(options.alarmUrl === undefined ? {} : { ALARM_WEBHOOK_URL: options.alarmUrl }),
    ...(options.coreProcesses === undefined
      ? {}
      : { CORE_PROCESSES: String(options.coreProcesses) }),
  };
  const coreFile = options.coreProcesses === undefined ? "core/main.ts" : "core/start.ts";
  const next: Town["next"] = {
    coreArgs: [],
    gateKeys: keys.gateKeys,
    coreKeys: keys.coreKeys,
  };
  const gateAt = (port: number, dir: string) =>
    startGate({
      processes,
      port,
      dir,
      env: {
        EDGE_ORIGIN: at(ports.edge),
        CORE_ORIGIN: at(ports.core),
        REDIS_URL: `redis://127.0.0.1:${networks.line.port}/0`,
        GATE_KEYS: JSON.stringify(next.gateKeys),
        ROOM_SECRET: keys.roomSecret,
        ISSUERS: JSON.stringify(trustedIssuers(at(ports.core))),
      },
    });
  const gateDir = join(processes.dir, "gate");
  const node = (name: string, args: string[], env: Record<string, string>): Program =>
    processes.start({
      name,
      command: process.execPath,
      args,
      env: { PATH: process.env["PATH"], ...env },
    });
  const starters: Record<Part, () => Promise<number>> = {
    core: async () => {
      const program = node(
        "core",
        [...next.coreArgs, "--import", FAIL_POINTS, join(ROOT_DIR, coreFile)],
        { ...coreEnv, CORE_KEYS: JSON.stringify(next.coreKeys) },
      );
      await waitUntilReady(program, () => isUp(`${at(ports.core)}/healthz`));
      return program.pid;
    },
    gate: async () => (await gateAt(ports.edge, gateDir)).pid,
    "redis-line": async () =>
      (await startRedis(processes, { name: "redis-line", port: ports.line, args: NO_EVICTION }))
        .pid,
    "redis-locks": async () =>
      (await startRedis(processes, { name: "redis-locks", port: ports.locks, args: NO_EVICTION }))
        .pid,
    postgres: async () => (await startPostgres(processes, { port: ports.postgres })).pid,
  };
  const start = async (part: Part): Promise<void> => {
    // What was killed may still be in the way of its successor for a moment (ports, shared memory).
    for (let tries = 1; ; tries += 1) {
      try {
        pids.set(part, await starters[part]());
        return;
      } catch (error) {
        if (tries >= RESTART_TRIES_MAX) throw error;
        await sleep(250);
      }
    }
  };
  const end = async (part: Part, signal: NodeJS.Signals = "SIGTERM"): Promise<void> => {
    const pid = pids.get(part);
    if (pid === undefined) return;
    process.kill(pid, signal);
    while (isAlive(pid)) await sleep(10);
  };

  const serverUrl = `postgres://postgres@127.0.0.1:${ports.postgres}`;
  await Promise.all([start("postgres"), start("redis-line"), start("redis-locks")]);
  const admin = postgres(`${serverUrl}/postgres`, { max: 1, onnotice: () => {} });
  await admin`create database sira`;
  await admin.end();
  const databaseUrl = `${serverUrl}/sira`;
  await migrate(databaseUrl);
  const psp = node("psp", [join(ROOT_DIR, "tools/psp/main.ts")], {
    PSP_PORT: String(ports.psp),
    CORE_ORIGIN: at(ports.core),
    PSP_SECRET: keys.pspSecret,
    PSP_WEBHOOK_SECRET: keys.pspWebhookSecret,
    PSP_TIME_SCALE: TIME_SCALE,
  });
  const mailbox = node("mailbox", [join(ROOT_DIR, "tools/mailbox/main.ts")], {
    MAILBOX_PORT: String(ports.mailbox),
    MAILBOX_SMTP_PORT: String(ports.smtp),
  });
  await Promise.all([
    waitUntilReady(psp, () => isUp(`${at(ports.psp)}/_charges`)),
    waitUntilReady(mailbox, () => isUp(`${at(ports.mailbox)}/mails.json`)),
    start("core"),
    start("gate"),
  ]);
  await waitUntilReady(mailbox, () => isUp(`${at(ports.edge)}/readyz`));
  const db = createDb({
    url: databaseUrl,
    poolMax: 4,
    metrics: createMetrics(),
    applicationName: "checker",
    deadlineMs: 60_000,
    statementTimeoutMs: 55_000,
    queueWaitMsMax: 60_000,
  });
  return {
    edge: at(ports.edge),
    core: at(ports.core),
    psp: at(ports.psp),
    mailbox: at(ports.mailbox),
    keys,
    networks,
    db,
    databaseUrl,
    lineUrl: `redis://127.0.0.1:${ports.line}/0`,
    dir: processes.dir,
    coreProcesses: options.coreProcesses ?? 1,
    pid: (part) => pids.get(part) ?? 0,
    pspPid: psp.pid,
    kill: (part) => end(part, "SIGKILL"),
    end,
    start,
    next,
    async startTwinGate() {
      const port = await findFreePort();
      const dir = join(processes.dir, "twin");
      cpSync(join(gateDir, "objects"), join(dir, "objects"), { recursive: true });
      const twin = await gateAt(port, dir);
      return { origin: at(port), stop: () => twin.stop() };
    },
    stop: () => stopTown(processes, db, networks),
  };
}

async function stopTown(processes: Processes, db: Db, networks: Town["networks"]): Promise<void> {
  await db.close();
  await Promise.all(Object.values(networks).map((network) => network.close()));
  await processes.stopAll();
  removePostgresData(processes.dir);
  rmSync(processes.dir, { recursive: true, force: true });
}

async function isUp(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.arrayBuffer();
  return response.ok;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
