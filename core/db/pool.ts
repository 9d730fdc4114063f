import type { PoolStats, SqlArg } from "./db.ts";
import { failureOf, outcomeUnknown, overloaded, unavailable } from "./failures.ts";
import type { Lane } from "./lane.ts";

/**
 * A bounded set of lanes and a bounded queue before them. It decides who waits, who is refused at
 * once, when to dial again, and drops a lane that missed its deadline.
 */
export type PoolOptions = {
  lanesMax: number;
  makeLane: () => Lane;
  /** Shed when the queue's expected wait is longer. */
  queueWaitMsMax: number;
  queueMax: number;
  onWait: (waitedMs: number) => void;
};

export type Statement = {
  text: string;
  args: readonly SqlArg[];
  deadlineMs: number;
  /** A lost connection leaves the outcome of a change unknown; a read just failed. */
  changes: boolean;
};

export type Pool = {
  /** Rejects with a `Refusal`, or with the driver's own error when the server refused. */
  run(statement: Statement): Promise<Record<string, unknown>[]>;
  stats(): PoolStats;
  close(): Promise<void>;
};

const DIAL_BACKOFF_MS_MIN = 50;
const DIAL_BACKOFF_MS_MAX = 2_000;
/** Weight of the newest statement in the moving average. */
const SERVICE_WEIGHT = 0.05;

type Waiter = { give: (lane: Lane) => void; refuse: (error: Error) => void };

/** When the next connection may be dialled: doubling with jitter while dialling fails. */
export function dialBackoffMs(failures: number, random: number): number {
  if (failures === 0) return 0;
  const full = Math.min(DIAL_BACKOFF_MS_MAX, DIAL_BACKOFF_MS_MIN * 2 ** Math.min(failures, 10));
  return full / 2 + (random * full) / 2;
}

export function createPool(options: PoolOptions): Pool {
  const idle: Lane[] = [];
  const lanes = new Set<Lane>();
  const waiters: Waiter[] = [];
  const count = { shed: 0, replaced: 0, deadlines: 0, busy: 0 };
  let serviceMs = 1;
  let dialFailures = 0;
  let dialAgainAt = 0;
  let dialling = 0;
  let closed = false;
  let drained: (() => void) | undefined;

  const drop = (lane: Lane) => {
    if (lanes.delete(lane)) count.replaced += 1;
    lane.destroy();
  };

  const release = (lane: Lane) => {
    count.busy -= 1;
    if (lane.dead() || closed) drop(lane);
    else {
      const next = waiters.shift();
      if (next) {
        count.busy += 1;
        next.give(lane);
        return;
      }
      idle.push(lane);
    }
    if (count.busy === 0) drained?.();
    serveWaiters();
  };

  const takeIdle = (): Lane | undefined => {
    for (let lane = idle.pop(); lane; lane = idle.pop()) {
      if (!lane.dead()) return lane;
      drop(lane);
    }
    return undefined;
  };

  const mayDial = () =>
    !closed && lanes.size + dialling < options.lanesMax && Date.now() >= dialAgainAt;

  /** A lane of our own making, ready; counted busy for its taker. */
  const dial = async (): Promise<Lane> => {
    dialling += 1;
    const lane = options.makeLane();
    try {
      await lane.open();
      dialFailures = 0;
      dialAgainAt = 0;
      if (closed) throw new Error("the pool was closed meanwhile");
      lanes.add(lane);
      return lane;
    } catch (error) {
      lane.destroy();
      dialFailures += 1;
      dialAgainAt = Date.now() + dialBackoffMs(dialFailures, Math.random());
      throw unavailable(`database connection: ${failureMessage(error)}`);
    } finally {
      dialling -= 1;
    }
  };

  /** Lanes that died leave room for new ones, which those who wait must not have to ask for. */
  const serveWaiters = () => {
    if (waiters.length === 0 || !mayDial()) {
      if (lanes.size + dialling === 0) refuseAll();
      return;
    }
    dial().then(
      (lane) => {
        count.busy += 1;
        release(lane);
      },
      () => {
        if (lanes.size + dialling === 0) refuseAll();
      },
    );
  };

  const refuseAll = () => {
    for (const waiter of waiters.splice(0)) waiter.refuse(unavailable("no database connection"));
  };

  const expectedWaitMs = () => ((waiters.length + 1) * serviceMs) / Math.max(1, lanes.size);

  const acquire = async (): Promise<Lane> => {
    if (closed) throw unavailable("the pool is closed");
    const free = takeIdle();
    if (free) {
      count.busy += 1;
      return free;
    }
    if (mayDial()) {
      const lane = await dial();
      count.busy += 1;
      return lane;
    }
    if (lanes.size + dialling === 0) throw unavailable("the database cannot be reached");
    if (waiters.length >= options.queueMax || expectedWaitMs() > options.queueWaitMsMax) {
      count.shed += 1;
      throw overloaded(`${waiters.length} wait for a connection`);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Lane>();
    waiters.push({ give: resolve, refuse: reject });
    return promise;
  };

  const onLane = async (lane: Lane, statement: Statement, leftMs: number) => {
    const started = performance.now();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      count.deadlines += 1;
      // Rejects the pending statement; the server's own statement_timeout ends its side.
      lane.destroy();
    }, leftMs);
    try {
      return await lane.run(statement.text, statement.args);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== "lost") throw error;
      lane.destroy();
      const reason = late ? "deadline passed" : failure.message;
      throw statement.changes ? outcomeUnknown(reason) : unavailable(reason);
    } finally {
      clearTimeout(timer);
      serviceMs += SERVICE_WEIGHT * (performance.now() - started - serviceMs);
      release(lane);
    }
  };

  const run = async (statement: Statement) => {
    const started = performance.now();
    const leftMs = () => statement.deadlineMs - (performance.now() - started);
    const lane = await withDeadline(acquire(), statement.deadlineMs, (late) => {
      late.then(release, () => undefined);
    });
    options.onWait(performance.now() - started);
    return await onLane(lane, statement, Math.max(1, leftMs()));
  };

  return {
    run,
    stats: () => ({
      connections: lanes.size,
      busy: count.busy,
      waiting: waiters.length,
      serviceMs,
      shed: count.shed,
      replaced: count.replaced,
      deadlines: count.deadlines,
    }),
    async close() {
      closed = true;
      refuseAll();
      for (const lane of idle.splice(0)) drop(lane);
      if (count.busy === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      drained = resolve;
      await promise;
    },
  };
}

const failureMessage = (error: unknown): string => {
  const failure = failureOf(error);
  return failure.kind === "lost" ? failure.message : failure.error.message;
};

/** A lane that comes after the waiter has gone goes back; nothing was sent. */
async function withDeadline(
  lane: Promise<Lane>,
  deadlineMs: number,
  onLate: (late: Promise<Lane>) => void,
): Promise<Lane> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(unavailable("no connection within the deadline"));
    onLate(lane);
  }, deadlineMs);
  try {
    return await Promise.race([lane, promise]);
  } finally {
    clearTimeout(timer);
  }
}
