import type { Ctx, JobActor } from "../context.ts";

/**
 * How nouns plug work in. A noun exports `xxxJobs: Job[]` and `xxxHandlers: OutboxHandler[]`; the
 * scheduler runs them in every process, so each `run` must be safe beside itself (guarded
 * statements, SKIP LOCKED) and bounded in what it takes at once.
 */
export type JobCtx = Ctx<JobActor>;

export type Job = {
  name: string;
  everyMs: number;
  /** How many things were done; the log and the metrics say it. */
  run(ctx: JobCtx): Promise<number>;
};

/** A row of `outbox`, as a handler sees it. Delivery is at least once: handlers are idempotent. */
export type OutboxEvent = {
  id: number;
  topic: string;
  /** What the order of events is kept for, e.g. an order id. */
  key: string;
  payload: Record<string, unknown>;
};

export type OutboxHandler = {
  topic: string;
  handle(ctx: JobCtx, event: OutboxEvent): Promise<void>;
};
