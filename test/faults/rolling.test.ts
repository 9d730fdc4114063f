// A new version in the middle of a sale: every process of the core is replaced, twice, and the gate is
// restarted, while people queue, hold and pay.
import { expect, test } from "vitest";
import { findFailures } from "./report.ts";
import { ROLLING } from "./rolling.ts";
import { runStorm } from "./storm.ts";

const seed = Number(process.env["FAULTS_SEED"] ?? Math.floor(Math.random() * 1_000_000));

test(`a rolling restart of core and gate in the middle of a sale loses nothing (FAULTS_SEED=${seed})`, {
  timeout: 300_000,
}, async () => {
  const report = await runStorm({
    seed,
    faults: ROLLING.map(({ name }) => name),
    loadMs: 15_000,
    buyersAtOnce: 12,
    fansAtOnce: 40,
    town: { coreProcesses: 2 },
    say: (line) => console.log(`  ${line}`),
  });
  // Seats, money, places, tokens and mails, from every witness there is.
  expect(findFailures(report)).toEqual([]);
  expect(report.paid).toBeGreaterThan(0);
  expect(report.admitted).toBeGreaterThan(0);
  for (const { name, recoveredMs } of report.faults)
    expect(Object.keys(recoveredMs), name).toEqual(["core", "gate"]);
});
