// The designs under the same load, without faults and with them: locks lost, sessions ended,
// processes stalled. What counts is what buyers were told against what the database says.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import postgres from "postgres";
import { createDb } from "../../../core/db/connect.ts";
import { createMetrics } from "../../../core/metrics/metrics.ts";
import {
  type Design,
  type Ground,
  LOCK_MS,
  oneStatement,
  redisLockThenWrite,
  selectForUpdate,
  type Told,
  wholeHold,
} from "./designs.ts";

const POOL = 16;
const BUYERS_AT_ONCE = 64;
const STALL_SHARE = 0.02;
/** So many seats are wanted by all at any time. */
const WANTED = 40;
const ANSWER_MS = 1_500;
const TRIES_MAX = 4;
const TRIAL_SEATS = 20;
const TRIAL_BUYERS = 12;
const DESIGNS = [redisLockThenWrite, selectForUpdate, oneStatement, wholeHold];

export type Contest = {
  readonly design: string;
  readonly faults: boolean;
  readonly salesPerSecond: number;
  /** Seats that two or more buyers were told are theirs. */
  readonly doubleSales: number;
  /** Seats that the database has given to somebody who was never told so. */
  readonly lostOrders: number;
  /** Seats told to a buyer whom the database does not know as their owner. */
  readonly brokenPromises: number;
};

export async function runContest(options: {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly makeHall: () => Promise<{ event: string; seats: readonly string[] }>;
  readonly seconds: number;
}): Promise<Contest[]> {
  for (const make of DESIGNS) await provesItself({ ...options, make });
  const results: Contest[] = [];
  for (const faults of [false, true])
    for (const make of DESIGNS) results.push(await runOne({ ...options, make, faults }));
  return results;
}

/** Without faults each design sells every seat once, to one of its buyers, and knows the buyer again. */
async function provesItself(options: {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly makeHall: () => Promise<{ event: string; seats: readonly string[] }>;
  readonly make: (ground: Ground) => Design;
}): Promise<void> {
  const { event, seats } = await options.makeHall();
  const sql = postgres(options.databaseUrl, { max: POOL, onnotice: () => {} });
  const redis = new Redis(options.redisUrl);
  const db = createDb({ url: options.databaseUrl, poolMax: POOL, metrics: createMetrics() });
  const design = options.make({ sql, redis, db, stall: async () => undefined });
  for (const seat of seats.slice(0, TRIAL_SEATS)) {
    const buyers = Array.from({ length: TRIAL_BUYERS }, () => `ord_${randomUUID()}`);
    const told = await Promise.all(buyers.map((buyer) => design.take(event, seat, buyer)));
    const owners = buyers.filter((_, n) => told[n] === "yours");
    const [owner = ""] = owners;
    const again = await design.take(event, seat, owner);
    if (owners.length !== 1 || again !== "yours")
      throw new Error(`${design.name} fails without faults: ${told.join(", ")}; again: ${again}`);
  }
  await Promise.all([sql.end({ timeout: 1 }), db.close()]);
  redis.disconnect();
}

function survive(error: Error): void {
  if (!/postgres\/src\/connection/.test(error.stack ?? "")) throw error;
}

async function runOne(options: {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly makeHall: () => Promise<{ event: string; seats: readonly string[] }>;
  readonly seconds: number;
  readonly make: (ground: Ground) => Design;
  readonly faults: boolean;
}): Promise<Contest> {
  const { event, seats } = await options.makeHall();
  const sql = postgres(options.databaseUrl, { max: POOL, onnotice: () => {} });
  const redis = new Redis(options.redisUrl, { maxRetriesPerRequest: 1 });
  redis.on("error", () => undefined);
  const db = createDb({ url: options.databaseUrl, poolMax: POOL, metrics: createMetrics() });
  const stall = async (): Promise<void> => {
    if (options.faults && Math.random() < STALL_SHARE) await sleep(LOCK_MS * 1.5);
  };
  const design = options.make({ sql, redis, db, stall });
  const trouble = new AbortController();
  // The driver throws from a timer when a session is ended under it: a crash anywhere else.
  process.on("uncaughtException", survive);
  const troubles = options.faults ? makeTrouble(options, redis, trouble.signal) : undefined;
  const owners = new Map<string, Set<string>>();
  const startedAt = performance.now();
  const endsAt = startedAt + options.seconds * 1_000;
  let sales = 0;
  const shop = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      // Everybody wants the best of what is left.
      const wish = Math.min(seats.length - 1, sales + Math.floor(Math.random() * WANTED));
      const seat = seats[wish] ?? "";
      const buyer = `ord_${randomUUID()}`;
      if ((await insist(design, event, seat, buyer)) !== "yours") continue;
      sales += 1;
      owners.set(seat, (owners.get(seat) ?? new Set()).add(buyer));
    }
  };
  await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, shop));
  const seconds = (performance.now() - startedAt) / 1_000;
  trouble.abort();
  await troubles;
  // By a connection of its own: the designs' may still be waiting in line for theirs.
  const books = postgres(options.databaseUrl, { max: 1, onnotice: () => {} });
  const rows = await books<{ seat: string; buyer: string }[]>`
    select s.seat_id as seat, coalesce(h.account, s.order_id) as buyer from seats s
      left join holds h on h.event_id = s.event_id and h.id = s.hold_id
      where s.event_id = ${event} and s.status in ('held', 'sold')`;
  await books.end();
  await Promise.all([sql.end({ timeout: 1 }), db.close()]);
  process.off("uncaughtException", survive);
  redis.disconnect();
  const recorded = new Map(rows.map(({ seat, buyer }) => [seat, buyer]));
  let brokenPromises = 0;
  for (const [seat, buyers] of owners)
    for (const buyer of buyers) if (recorded.get(seat) !== buyer) brokenPromises += 1;
  return {
    design: design.name,
    faults: options.faults,
    salesPerSecond: sales / seconds,
    doubleSales: [...owners.values()].filter(({ size }) => size > 1).length,
    lostOrders: rows.filter(({ seat, buyer }) => !owners.get(seat)?.has(buyer)).length,
    brokenPromises,
  };
}

/** A buyer who was told nothing asks again, until somebody says something. */
async function insist(design: Design, event: string, seat: string, buyer: string): Promise<Told> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    try {
      const told = await Promise.race([design.take(event, seat, buyer), tooLate()]);
      if (told !== "try again") return told;
      return "taken";
    } catch {
      await sleep(20 + Math.random() * 50);
    }
  }
  return "try again";
}

const tooLate = async (): Promise<Told> => {
  await sleep(ANSWER_MS, undefined, { ref: false });
  throw new Error("no answer");
};

async function makeTrouble(
  options: { readonly databaseUrl: string },
  redis: Redis,
  signal: AbortSignal,
): Promise<void> {
  const admin = postgres(options.databaseUrl, {
    max: 1,
    onnotice: () => {},
    connection: { application_name: "trouble" },
  });
  while (!signal.aborted) {
    await sleep(150);
    await redis.flushdb().catch(() => "");
    await admin`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name <> 'trouble'
        and state <> 'idle' and pid <> pg_backend_pid() and application_name not like 'sira-jobs%'
      limit 2`.catch(() => undefined);
  }
  await admin.end({ timeout: 1 });
}

export function renderContest(rows: readonly Contest[]): string {
  return [
    "| design | faults | sales /s | double sales | lost orders | promises broken |",
    "| --- | --- | ---: | ---: | ---: | ---: |",
    ...rows.map(
      (row) =>
        `| ${row.design} | ${row.faults ? "on" : "off"} | ${Math.round(row.salesPerSecond)} | ` +
        `${row.doubleSales} | ${row.lostOrders} | ${row.brokenPromises} |`,
    ),
  ].join("\n");
}
