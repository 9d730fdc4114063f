// Test runs that were killed leave servers and folders behind; this ends and removes them. Called at
// the start of each run, and by itself (`node tools/services/old-runs.ts`) at the end of CI.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removePostgresData } from "./postgres.ts";
import { endLeftovers, findOwner, isNodeProcess } from "./processes.ts";
import { STATE_DIR } from "./root.ts";

const RUN_PREFIX = "test-";

export async function endOldRuns(): Promise<void> {
  const names = existsSync(STATE_DIR) ? readdirSync(STATE_DIR) : [];
  for (const name of names.filter((entry) => entry.startsWith(RUN_PREFIX))) {
    const dir = join(STATE_DIR, name);
    // The folder's name says whose it is, for those that started no program.
    const pid = Number(/^test-(\d+)/.exec(name)?.[1]);
    if (isNodeProcess(pid) || findOwner(dir) !== undefined) continue;
    await endLeftovers(dir);
    removeRun(dir);
  }
}

export function removeRun(dir: string): void {
  removePostgresData(dir);
  rmSync(dir, { recursive: true, force: true });
}

if (import.meta.main) await endOldRuns();
