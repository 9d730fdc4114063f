import { type JobResult, PgBoss } from "pg-boss";
import type { Log } from "../context.ts";
import { queueOf } from "./outbox.ts";
import type { JobCtx, OutboxEvent, OutboxHandler } from "./registry.ts";

/** pg-boss keeps the queues of the outbox's handlers, in a schema of its own. */

const SCHEMA = "jobs";
const POOL_MAX = 2;
/** One of each order at a time; a full batch is followed by the next at once. */
const WORK = {
  pollingIntervalSeconds: 0.5,
  batchSize: 25,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const;
/** A worker that died is noticed after this, by a look every `SUPERVISE_S`: within a minute. */
const EXPIRE_S = 30;
const SUPERVISE_S = 15;
const RETRY_S = 2;
const RETRY_S_MAX = 300;
/** With the longest pause that is more than a month: an event is never given up quietly. */
const RETRIES_MAX = 10_000;
const KEEP_DONE_S = 7 * 24 * 3_600;
const STOP_MS = 10_000;
/** A connection that answers nothing is given up after this; else one lost packet stops the mails. */
const QUERY_MS = 15_000;

export type Queues = { boss: PgBoss; stop(): Promise<void> };

export async function openQueues(
  databaseUrl: string,
  log: Log,
  handlers: readonly OutboxHandler[],
): Promise<Queues> {
  const settings = {
    connectionString: databaseUrl,
    // Handed through to the driver, which otherwise waits for ever on a connection whose other end
    // is gone without a word (tried: the relay and every queue stood still until a restart).
    query_timeout: QUERY_MS,
    keepAlive: true,
    schema: SCHEMA,
    max: POOL_MAX,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
    application_name: "sira-jobs",
  };
  const boss = new PgBoss(settings);
  // Without a listener an error of its pool would end the process.
  boss.on("error", (error) => log.warn({ err: error }, "queues"));
  await boss.start();
  for (const handler of handlers)
    await boss.createQueue(queueOf(handler), {
      policy: "key_strict_fifo",
      expireInSeconds: EXPIRE_S,
      retryLimit: RETRIES_MAX,
      retryDelay: handler.retry?.delayS ?? RETRY_S,
      retryBackoff: true,
      retryDelayMax: handler.retry?.delayMaxS ?? RETRY_S_MAX,
      deleteAfterSeconds: KEEP_DONE_S,
    });
  return {
    boss,
    stop: () => boss.stop({ graceful: true, timeout: STOP_MS }),
  };
}

export async function workQueue(
  boss: PgBoss,
  handler: OutboxHandler,
  makeCtx: (requestId: string) => JobCtx,
): Promise<void> {
  await boss.work<OutboxEvent, object, typeof WORK>(queueOf(handler), WORK, (jobs) =>
    Promise.all(
      jobs.map(async ({ id, data }): Promise<JobResult> => {
        const ctx = makeCtx(id);
        try {
          await handler.handle(ctx, data);
          return { id, status: "completed" };
        } catch (error) {
          ctx.log.warn({ err: error, handler: handler.name, event: data.id }, "to be tried again");
          const reason = error instanceof Error ? error.message : String(error);
          return { id, status: "failed", output: { reason } };
        }
      }),
    ),
  );
}
