import { Refusal } from "../../shared/errors.ts";
import { assert } from "../../shared/result.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Db, QueryOptions, SqlArg } from "./db.ts";
import { badText, conflictRetry, failureOf, isBadText, unavailable } from "./failures.ts";
import { createLane } from "./lane.ts";
import { createPool, type Pool, type Statement } from "./pool.ts";

export const DB_CONNECT_MS = 2_000;
/** The server ends a statement before the client gives up on it, the wait for a connection included. */
export const DB_STATEMENT_MS = 3_000;
export const DB_DEADLINE_MS = 5_000;
export const DB_SLOW_STATEMENT_MS = 55_000;
export const DB_SLOW_DEADLINE_MS = 60_000;
const SLOW_LANES = 2;
/** Longer queues would only turn a fast refusal into a slow one. */
const QUEUE_WAIT_MS_MAX = 1_500;
const QUEUE_MAX = 2_000;
const RETRY_PAUSE_MS_MAX = 20;

const FUNCTION_NAME = /^[a-z][a-z0-9_]{0,62}$/;

export type DbOptions = {
  url: string;
  poolMax: number;
  metrics: Metrics;
  applicationName?: string;
  /** Tests shorten them. */
  deadlineMs?: number;
  statementTimeoutMs?: number;
  queueWaitMsMax?: number;
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** `select fn($1, …) as result`, made once for each name and number of arguments. */
function callText(fn: string, argCount: number): string {
  assert(FUNCTION_NAME.test(fn), "an SQL function is named in lower case");
  const marks = Array.from({ length: argCount }, (_, i) => `$${i + 1}`);
  return `select ${fn}(${marks.join(", ")}) as result`;
}

/**
 * Runs a statement with one repeat where a repeat is safe: rolled back as deadlock or serialization
 * failure (any statement), or its connection lost (reads alone).
 */
async function runSafely(pool: Pool, statement: Statement): Promise<Record<string, unknown>[]> {
  const started = performance.now();
  const left = () => statement.deadlineMs - (performance.now() - started);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.run({ ...statement, deadlineMs: Math.max(1, left()) });
    } catch (error) {
      const last = attempt === 2 || left() < RETRY_PAUSE_MS_MAX;
      if (error instanceof Refusal) {
        if (statement.changes || error.code !== "unavailable" || last) throw error;
      } else {
        const failure = failureOf(error);
        if (failure.kind === "lost") throw unavailable(failure.message);
        if (failure.kind === "sql")
          throw isBadText(failure.error) ? badText(failure.error.message) : failure.error;
        if (failure.kind === "cut") throw unavailable(failure.error.message);
        if (last) throw conflictRetry(failure.error.message);
      }
      await pause(Math.random() * RETRY_PAUSE_MS_MAX);
    }
  }
}

export function createDb(options: DbOptions): Db {
  const statementTimeoutMs = options.statementTimeoutMs ?? DB_STATEMENT_MS;
  const deadlineMs = options.deadlineMs ?? DB_DEADLINE_MS;
  const applicationName = options.applicationName ?? "sira-core";
  const wait = options.metrics.histogram(
    "sira_db_wait_seconds",
    "How long a statement waited for a connection.",
  );
  const lane = (timeoutMs: number) => () =>
    createLane({
      url: options.url,
      connectTimeoutMs: Math.min(DB_CONNECT_MS, deadlineMs),
      statementTimeoutMs: timeoutMs,
      applicationName,
    });
  const shared = {
    queueWaitMsMax: options.queueWaitMsMax ?? QUEUE_WAIT_MS_MAX,
    queueMax: QUEUE_MAX,
    onWait: (ms: number) => wait.observe(ms / 1000),
  };
  const quick = createPool({
    ...shared,
    lanesMax: options.poolMax,
    makeLane: lane(statementTimeoutMs),
  });
  const slow = createPool({
    ...shared,
    queueWaitMsMax: DB_SLOW_DEADLINE_MS,
    lanesMax: SLOW_LANES,
    makeLane: lane(DB_SLOW_STATEMENT_MS),
  });
  publishStats(options.metrics, quick);

  const run = async (
    text: string,
    args: readonly SqlArg[],
    changes: boolean,
    given: QueryOptions | undefined,
  ) => {
    const pool = given?.slow ? slow : quick;
    return await runSafely(pool, {
      text,
      args,
      changes,
      deadlineMs: given?.deadlineMs ?? (given?.slow ? DB_SLOW_DEADLINE_MS : deadlineMs),
    });
  };

  return {
    async call<T>(fn: string, args: readonly SqlArg[], given?: QueryOptions) {
      const [row] = await run(callText(fn, args.length), args, true, given);
      assert(row, "a function call gives one row");
      return row["result"] as T;
    },
    async write<T>(text: string, args: readonly SqlArg[] = [], given?: QueryOptions) {
      return (await run(text, args, true, given)) as T[];
    },
    async read<T>(text: string, args: readonly SqlArg[] = [], given?: QueryOptions) {
      return (await run(text, args, false, given)) as T[];
    },
    async ping(ms) {
      await run("select 1 where $1 = '1'", ["1"], false, { deadlineMs: ms });
    },
    stats: () => quick.stats(),
    async close() {
      await Promise.all([quick.close(), slow.close()]);
    },
  };
}

function publishStats(metrics: Metrics, pool: Pool): void {
  metrics.gauge(
    "sira_db_pool",
    "Connections, busy ones, waiting statements; shed, replaced and late ones in all.",
    ["what"],
    (gauge) => {
      for (const [what, value] of Object.entries(pool.stats())) gauge.set({ what }, value);
    },
  );
}
