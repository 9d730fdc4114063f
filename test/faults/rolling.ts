// What an operator does in the middle of a sale: a new version of the core, process by process, and
// of a gate that is one process on its storage.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "./catalogue.ts";

const REPLACED_MS_MAX = 60_000;

export function childrenOf(pid: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [, state, parent] = /^\d+ \(.*\) (\S) (\d+)/s.exec(stat) ?? [];
      return Number(parent) === pid && state !== "Z" ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** `systemctl reload sira-core`: a town whose core is `npm start`. */
function replaceCore(): Fault {
  let old: number[] = [];
  let primary = 0;
  const gone = () => {
    const now = childrenOf(primary);
    return old.filter((pid) => !now.includes(pid)).length;
  };
  return {
    name: "core: rolling restart",
    lastsMs: 0,
    async begin({ town }) {
      primary = town.pid("core");
      old = childrenOf(primary);
      process.kill(primary, "SIGHUP");
      const until = Date.now() + REPLACED_MS_MAX;
      while (gone() < old.length && Date.now() < until) await sleep(50);
    },
    hits: async () => (gone() === old.length ? old.length : 0),
    end: async () => undefined,
  };
}

/** `systemctl restart sira-gate`. */
function restartGate(): Fault {
  let restarts = 0;
  return {
    name: "gate: restart",
    lastsMs: 0,
    async begin({ town }) {
      await town.end("gate");
      await town.start("gate");
      restarts += 1;
    },
    hits: async () => restarts,
    end: async () => undefined,
  };
}

export const ROLLING: readonly Fault[] = [replaceCore(), restartGate()];
