// What a simulation of the line writes down: what was done to it, what was looked at, what did not hold.
import type { FaultName } from "./faults.ts";
import { FAULT_NAMES } from "./faults.ts";
import type { SaleResult } from "./sale.ts";

export type Run = SaleResult & { readonly seed: number; readonly early: "draw" | "fifo" };

/** A run this long meets every fault, or the faults are not what they say. */
const STEPS_FOR_ALL = 30_000;

export function renderReport(
  runs: readonly Run[],
  { seconds, lookEvery }: { readonly seconds: number; readonly lookEvery: number },
): { readonly text: string; readonly table: string; readonly ok: boolean } {
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  const steps = sum((run) => run.steps);
  const hits = (name: FaultName) => sum((run) => run.faults.get(name) ?? 0);
  const idle = steps < STEPS_FOR_ALL ? [] : FAULT_NAMES.filter((name) => hits(name) === 0);
  const broken = runs.flatMap((run) => run.broken.map((what) => `seed ${run.seed}: ${what}`));
  const en = (value: number) => Math.round(value).toLocaleString("en");
  const table = [
    "| what | how often |",
    "| --- | ---: |",
    `| steps (acts of fans and core, alarms, weather) | ${en(steps)} |`,
    `| sales, each a seed of its own (${runs[0]?.seed} to ${runs.at(-1)?.seed}) | ${runs.length} |`,
    `| simulated minutes | ${en(sum((run) => run.simulatedMs) / 60_000)} |`,
    `| admissions | ${en(sum((run) => run.admissions))} |`,
    `| invariants looked at | ${en(sum((run) => run.checks))} |`,
    `| **not held** | **${broken.length}** |`,
    ...FAULT_NAMES.map((name) => `| ${name} | ${en(hits(name))} |`),
  ].join("\n");
  const verdict = [
    ...broken.map((what) => `- ${what}`),
    ...idle.map((name) => `- no such fault happened: ${name}`),
  ];
  const text = `# The line in simulated time

\`npm run simulate:line\` runs the gate's own Room and Doors and the real scripts, in two real Redis
servers, under a simulated clock; the clocks of objects and servers lie up to 30 s apart. Each
script's answer and each answer to a fan is held against all before it, after each step; the whole state
in Redis is looked at after every ${lookEvery === 1 ? "step" : `${lookEvery} steps`}. A sale ends
with a quiet time in which everybody who stayed must be served. A seed plays the same life again:
\`npm run simulate:line -- --seed 7 --steps 20000\`.

${table}

It took ${en(seconds)} s of real time.

${verdict.length === 0 ? "Everything held." : verdict.join("\n")}
`;
  return { text, table, ok: verdict.length === 0 };
}
