// The short run: `FAULTS_SEED=…` repeats one. What a longer one finds, `npm run soak` shows.
import { expect, test } from "vitest";
import { SHORT } from "./catalogue.ts";
import { findFailures } from "./report.ts";
import { runStorm } from "./storm.ts";

/** Rounded down from what the slowest machine did: fewer mean that nothing was tested. */
const OPERATIONS_MIN = 400;
const seed = Number(process.env["FAULTS_SEED"] ?? Math.floor(Math.random() * 1_000_000));

test(`under faults of every kind nothing is sold twice, lost or charged for nothing (FAULTS_SEED=${seed})`, {
  timeout: 400_000,
}, async () => {
  console.log(`FAULTS_SEED=${seed}`);
  const report = await runStorm({
    seed,
    faults: SHORT,
    loadMs: 0,
    buyersAtOnce: 16,
    fansAtOnce: 60,
    say: (line) => console.log(`  ${line}`),
  });
  console.log(
    `  ${report.operations} operations, ${report.paid} orders paid, ${report.admitted} admitted`,
  );
  expect(findFailures(report)).toEqual([]);
  expect(report.operations).toBeGreaterThan(OPERATIONS_MIN);
  expect(report.paid).toBeGreaterThan(10);
  expect(report.admitted).toBeGreaterThan(10);
});
