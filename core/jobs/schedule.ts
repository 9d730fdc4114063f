import { figuresJob } from "../alarms/figures.ts";
import { alarmJob } from "../alarms/watch.ts";
import { ctxFor, type Deps } from "../context.ts";
import type { Load } from "../http/load.ts";
import { nounHandlers, nounJobs } from "../nouns.ts";
import { capacityJob } from "./capacity.ts";
import { extendSlotHandler } from "./extend-slot.ts";
import { relayOutbox } from "./outbox.ts";
import { pruneJob } from "./prune.ts";
import { openQueues, type Queues, workQueue } from "./queues.ts";
import type { Job, JobCtx } from "./registry.ts";
import { releaseSlotHandler } from "./release-slot.ts";

const RELAY_MS = 500;
const QUEUES_RETRY_MS = 5_000;
const SPREAD = 0.1;

export type Jobs = { stop(): Promise<void> };

/** Runs a job for ever, never beside itself in this process; an error waits for the next turn. */
export function runEvery(deps: Deps, job: Job): Jobs {
  const done = deps.metrics.counter("sira_job_done_total", "Things done by jobs.", ["job"]);
  const failed = deps.metrics.counter("sira_job_failed_total", "Runs that failed.", ["job"]);
  const seconds = deps.metrics.histogram("sira_job_seconds", "Time of a run.", ["job"]);
  const log = deps.log.child({ job: job.name });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  const once = async () => {
    const started = performance.now();
    try {
      const ctx = jobCtx(deps, job.name, deps.ids.newId("req"));
      const count = await job.run(ctx);
      done.inc({ job: job.name }, count);
      if (count > 0) log.debug({ count }, "job");
    } catch (error) {
      failed.inc({ job: job.name });
      log.warn({ err: error }, "job failed");
    } finally {
      seconds.observe({ job: job.name }, (performance.now() - started) / 1000);
      if (!stopped) schedule();
    }
  };
  const schedule = () => {
    const ms = job.everyMs * (1 + SPREAD * (Math.random() - 0.5));
    timer = setTimeout(() => {
      running = once();
    }, ms);
  };
  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

export const jobCtx = (deps: Deps, name: string, requestId: string): JobCtx =>
  ctxFor(deps, { actor: { kind: "job", name }, requestId });

/** The queues need the database; a core that starts without it opens them when it is back. */
function startQueues(deps: Deps): Jobs {
  const handlers = [releaseSlotHandler, extendSlotHandler, ...nounHandlers];
  let queues: Queues | undefined;
  let relay: Jobs | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const open = async () => {
    try {
      const opened = await openQueues(deps.config.database.url, deps.log, handlers);
      if (stopped) return await opened.stop();
      queues = opened;
      for (const handler of handlers)
        await workQueue(opened.boss, handler, (id) => jobCtx(deps, handler.name, id));
      relay = runEvery(deps, {
        name: "outbox-relay",
        everyMs: RELAY_MS,
        run: (ctx) => relayOutbox(ctx, opened.boss, handlers),
      });
    } catch (error) {
      deps.log.warn({ err: error }, "the queues could not be opened");
      if (!stopped) timer = setTimeout(retry, QUEUES_RETRY_MS);
    }
  };
  const retry = () => {
    opening = open();
  };
  let opening = open();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await opening;
      await relay?.stop();
      await queues?.stop();
    },
  };
}

export function startJobs(deps: Deps, load: Load): Jobs {
  const jobs = [...nounJobs, capacityJob(deps, load), alarmJob(), figuresJob, pruneJob].map((job) =>
    runEvery(deps, job),
  );
  const queues = startQueues(deps);
  return {
    async stop() {
      await Promise.all([...jobs.map((job) => job.stop()), queues.stop()]);
    },
  };
}
