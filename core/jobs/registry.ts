import type { Ctx, JobActor } from "../context.ts";

/**
 * How nouns plug work in. A noun exports `xxxJobs: Job[]` and `xxxHandlers: OutboxHandler[]`, which
 * `nouns.ts` lists; the scheduler runs them in every process, so each `run` must be safe beside
 * itself (guarded statements, SKIP LOCKED) and bounded in what it takes at once.
 */
export type JobCtx = Ctx<JobActor>;

export type Job = {
  name: string;
  /** From the end of one run to the start of the next; spread by a tenth. */
  everyMs: number;
  /** How many things were done; the log and the metrics say it. */
  run(ctx: JobCtx): Promise<number>;
};

/** A row of `outbox`. */
export type OutboxEvent = {
  id: string;
  kind: string;
  event?: string;
  order?: string;
  payload: Record<string, unknown>;
};

/**
 * Each handler has a queue of its own, so that one that fails does not hold up another. Delivery is
 * at least once and, within one order, in order: a `handle` that throws is called again, later and
 * later, before anything else of that order. It must be idempotent by the event's id.
 */
export type OutboxHandler = {
  /** Lower case and hyphens; names the queue. */
  name: string;
  kinds: readonly string[];
  /** Pauses between tries, doubling; 2 s to 5 min unless given. */
  retry?: { delayS: number; delayMaxS: number };
  handle(ctx: JobCtx, event: OutboxEvent): Promise<void>;
};
