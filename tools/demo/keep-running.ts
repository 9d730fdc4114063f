// What `npm run dev` does about a part that dies: it says so and starts that part again, on the same
// port and data, so that a crash can be tried out while somebody is in the middle of a purchase.
import { relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { logTail, type Processes, type Program, type ProgramSpec } from "../services/processes.ts";
import { sayFailure, sayStep } from "./report.ts";

/** A server that died leaves its port, and PostgreSQL its shared memory, a moment later. */
const PAUSES_MS = [1_000, 2_000, 4_000] as const;
/** More ends than there are pauses, this close together, are no accident. */
const WINDOW_MS = 60_000;

/** How long to wait before the next start; undefined: it ends too often. Pure. */
export function pauseBefore(endedAt: readonly number[], now: number): number | undefined {
  const recent = endedAt.filter((at) => at > now - WINDOW_MS).length;
  return PAUSES_MS[Math.max(0, recent - 1)];
}

export function keepRunning(processes: Processes, giveUp: () => void): void {
  const ends = new Map<string, number[]>();
  processes.onEnd((spec, program, how) => {
    const endedAt = [...(ends.get(spec.name) ?? []), Date.now()];
    ends.set(spec.name, endedAt);
    const pauseMs = spec.keepsInMemory === true ? undefined : pauseBefore(endedAt, Date.now());
    if (pauseMs !== undefined) {
      sayStep(`${spec.name} ended (${how}); it is started again …`);
      void startAgain(processes, spec, pauseMs);
      return;
    }
    sayEnd(spec, program, how);
    giveUp();
  });
}

async function startAgain(processes: Processes, spec: ProgramSpec, pauseMs: number): Promise<void> {
  await sleep(pauseMs);
  if (processes.isStopping()) return;
  const { pid } = processes.start(spec);
  sayStep(`${spec.name} runs again (process ${pid})`);
}

function sayEnd(spec: ProgramSpec, program: Program, how: string): void {
  const why = spec.keepsInMemory
    ? "What it knew is gone with it, so everything is stopped."
    : "It ended again and again, so everything is stopped.";
  sayFailure(`${spec.name} ended (${how}).`, [
    why,
    ...logTail(program.logFile).split("\n"),
    `Its whole log: ${relative(process.cwd(), program.logFile)}`,
  ]);
}
