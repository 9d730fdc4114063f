import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import type { Log } from "../context.ts";
import { afterEnd } from "./decide.ts";
import { answerMetrics } from "./metrics.ts";

/**
 * Several core processes on one port. A worker that dies is replaced; SIGHUP replaces all of them, one
 * at a time, each only when its successor listens; SIGTERM and SIGINT stop all.
 */

/** A little longer than a worker takes to drain. */
const STOP_MS = 19_500;
const START_MS = 60_000;

export function supervise(options: { main: string; processes: number; log: Log }): void {
  const { log } = options;
  cluster.setupPrimary({ exec: options.main });
  answerMetrics();
  const ends: number[] = [];
  /** Told to stop, so that nobody takes their place. */
  const leaving = new Set<number>();
  let everListened = false;
  let stopping = false;
  let restarting = false;

  const workers = (): Worker[] =>
    Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

  cluster.on("listening", (worker) => {
    everListened = true;
    log.info({ worker: worker.id, pid: worker.process.pid }, "worker listens");
  });
  cluster.on("exit", (worker, code, signal) => {
    const now = Date.now();
    const asked = leaving.delete(worker.id);
    if (!asked) {
      ends.push(now);
      if (ends.length > 100) ends.shift();
    }
    const verdict = afterEnd({ code, everListened, stopping: stopping || asked }, ends, now);
    log.info({ worker: worker.id, code, signal, next: verdict }, "worker ended");
    if (verdict.do === "start") setTimeout(() => stopping || cluster.fork(), verdict.afterMs);
    if (verdict.do === "give_up") void stop(code === 0 ? 1 : code);
  });

  async function stop(code: number): Promise<void> {
    if (stopping) return;
    stopping = true;
    const hard = setTimeout(() => {
      for (const worker of workers()) worker.process.kill("SIGKILL");
      process.exit(code === 0 ? 1 : code);
    }, STOP_MS);
    hard.unref();
    await Promise.all(workers().map(endWorker));
    process.exit(code);
  }

  async function endWorker(worker: Worker): Promise<void> {
    if (worker.isDead()) return;
    leaving.add(worker.id);
    worker.process.kill("SIGTERM");
    await once(worker, "exit");
  }

  /** Never fewer listeners than before: the old one goes when the new one is there. */
  async function restart(): Promise<void> {
    for (const old of workers()) {
      if (stopping) return;
      const next = cluster.fork();
      const ready = await Promise.race([
        once(next, "listening").then(() => true),
        once(next, "exit").then(() => false),
        new Promise<boolean>((resolve) => setTimeout(resolve, START_MS, false).unref()),
      ]);
      if (!ready) {
        log.error("the new worker did not come up: the old ones stay");
        leaving.add(next.id);
        next.process.kill("SIGKILL");
        return;
      }
      await endWorker(old);
    }
    log.info("all workers are new");
  }

  process.on("SIGTERM", () => void stop(0));
  process.on("SIGINT", () => void stop(0));
  process.on("SIGHUP", () => {
    if (restarting) return;
    restarting = true;
    void restart().finally(() => {
      restarting = false;
    });
  });
  for (let count = 0; count < options.processes; count += 1) cluster.fork();
}
