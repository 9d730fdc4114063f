// A run as a page that a person can read.
import { cpus, release, totalmem } from "node:os";
import type { FaultRecord, StormReport } from "./storm.ts";

const INVARIANTS = [
  [
    "seats",
    "one living hold and one owner at most; holds all or nothing; sums of seats, row maps, zones, add-ons, lines and counters agree; nothing taken past its time; nothing taken back while it is being paid; limits; whatever is free can be had",
  ],
  [
    "money",
    "every charge is of an order and of its exact amount; one kept per paid order, every other refunded; nothing confirmed twice; refunds never above what was captured; every attempt and refund has an end; attempt by attempt the same as the provider's books",
  ],
  [
    "line",
    "admissions in any minute within the rate, also across losses; inside within the cap each second; nobody admitted while paused; numbers unique and never changed; one admission a place; issued ≥ waiting + inside + finished + gone; nobody who was answered is lost",
  ],
  [
    "tokens",
    "forged admissions, forged webhooks, other people's holds and proofs used twice are refused",
  ],
  [
    "outbox",
    "each paid order announced once and mailed once (by Message-ID), no other; every mail recorded as sent has arrived",
  ],
] as const;

type Row = { name: string; times: number; hits: number; core: number[]; gate: number[] };

function byFault(records: readonly FaultRecord[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { name, hits, recoveredMs, stoodStillMs } of records) {
    const row = rows.get(name) ?? { name, times: 0, hits: 0, core: [], gate: [] };
    row.times += 1;
    row.hits += hits;
    if (recoveredMs.core !== undefined) row.core.push(stoodStillMs.core ?? 0);
    if (recoveredMs.gate !== undefined) row.gate.push(stoodStillMs.gate ?? 0);
    rows.set(name, row);
  }
  return [...rows.values()].sort((a, b) => a.name.localeCompare(b.name));
}

const most = (list: readonly number[]): string =>
  list.length === 0 ? "never" : `${(Math.max(...list) / 1_000).toFixed(2)} s`;

export function findFailures(report: StormReport): string[] {
  const rows = byFault(report.faults);
  return [
    ...rows.filter(({ hits }) => hits === 0).map(({ name }) => `the fault "${name}" hit nothing`),
    ...rows
      .filter(({ core, gate, times }) => core.length < times || gate.length < times)
      .map(({ name }) => `after "${name}" a part did not answer for a minute`),
    ...report.unquiet.map((what) => `still under way at the end: ${what}`),
    ...report.broken.map(({ area, what }) => `${area}: ${what}`),
  ];
}

/** @param commit the code that ran, as `git rev-parse --short` names it */
export function renderReport(report: StormReport, commit: string): string {
  const failures = findFailures(report);
  const cores = cpus();
  const lines = [
    `# Run of seed ${report.seed}`,
    "",
    failures.length === 0 ? "Nothing was broken." : `**${failures.length} things were broken.**`,
    "",
    `${report.operations} operations in ${(report.loadMs / 60_000).toFixed(1)} minutes, ` +
      `${report.faults.length} faults, ${report.paid} orders paid, ${report.admitted} admissions, ` +
      `quiet after ${(report.settleMs / 1_000).toFixed(0)} s. Machine: ${cores.length} cores ` +
      `(${cores[0]?.model.trim() ?? "unknown"}), ${(totalmem() / 2 ** 30).toFixed(0)} GB, ` +
      `Linux ${release()}, Node ${process.versions.node}. Commit ${commit}. Time at the payment simulator and in the ` +
      "core's payment deadlines is ten times as fast as in life.",
    "",
    "## Violations and other failures",
    "",
    ...(failures.length === 0 ? ["None."] : failures.map((what) => `- ${what}`)),
    "",
    "## Faults",
    "",
    "The longest stand-still is the longest time without one good answer, from the fault's beginning",
    "(its own length included) until the part answers again. Bound: one minute.",
    "",
    "| fault | times | hit | core stood still at most | gate stood still at most |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...byFault(report.faults).map(
      ({ name, times, hits, core, gate }) =>
        `| ${name} | ${times} | ${hits} | ${most(core)} | ${most(gate)} |`,
    ),
    "",
    "## What clients saw",
    "",
    "| operation and answer | times |",
    "| --- | ---: |",
    ...[...report.counts]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([what, times]) => `| ${what} | ${times} |`),
    "",
    "## Invariants checked",
    "",
    ...INVARIANTS.map(([area, what]) => `- **${area}**: ${what}.`),
    "",
  ];
  return lines.join("\n");
}
