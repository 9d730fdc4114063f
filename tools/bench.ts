// `npm run bench`: every speed that is claimed, both sides of each ratio measured in the same run on
// the same servers. Prints the tables and writes them as JSON and as prose into the folder `bench`.
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { migrate } from "../core/migrate.ts";
import { benchGate } from "./bench/gate.ts";
import { benchMap } from "./bench/map.ts";
import { type Measured, renderMeasured, type Single } from "./bench/measure.ts";
import { findPgbench } from "./bench/pgbench.ts";
import { type Contest, renderContest, runContest } from "./bench/rivals/contest.ts";
import { benchSale, putHall } from "./bench/sale.ts";
import { removePostgresData } from "./services/postgres.ts";
import { createProcesses } from "./services/processes.ts";
import { ROOT_DIR, STATE_DIR } from "./services/root.ts";
import { startServices } from "./services.ts";
import { rateMet } from "./simulate/page.ts";
import { runSale } from "./simulate/run.ts";
import { VARIANTS } from "./simulate/variants.ts";
import { makeKeys } from "./stack/keys.ts";
import { startStack } from "./stack.ts";

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    only: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log("npm run bench -- [--turns 5] [--seconds 3] [--only sale|map|gate|rivals|line]");
  process.exit(0);
}
findPgbench();
const turns = Number(values.turns);
const seconds = Number(values.seconds);
const wants = (part: string): boolean => values.only === undefined || values.only === part;
const processes = createProcesses(join(STATE_DIR, `bench-${process.pid}`));
const measured: Measured[] = [];
const singles: Single[] = [];
let contest: Contest[] = [];
try {
  const services = await startServices(processes, { throwAway: true });
  await migrate(services.databaseUrl);
  const stack = await startStack({
    processes,
    services,
    keys: await makeKeys(new Date()),
    coreEnv: { TRUSTED_PROXIES: "1", LOG_LEVEL: "error" },
  });
  const bench = { stack, dir: processes.dir, turns, seconds };
  if (wants("sale")) measured.push(...(await benchSale(bench)));
  if (wants("map")) {
    const map = await benchMap(bench);
    measured.push(...map.measured);
    singles.push(...map.singles);
  }
  if (wants("gate")) {
    const gate = await benchGate(bench, processes);
    measured.push(...gate.measured);
    singles.push(...gate.singles);
  }
  if (wants("line")) singles.push(...rates());
  if (wants("rivals"))
    contest = await runContest({
      databaseUrl: services.databaseUrl,
      redisUrl: services.redisLocksUrl,
      seconds,
      makeHall: async () => {
        const event = `rivals-${randomUUID().slice(0, 8)}`;
        return { event, seats: await putHall(bench, event) };
      },
    });
} finally {
  await processes.stopAll();
  removePostgresData(processes.dir);
  rmSync(processes.dir, { recursive: true, force: true });
}
save();

/** The set rate with half of the heads gone, by the simulation of two million. */
function rates(): Single[] {
  const variant = VARIANTS.find(({ name }) => name === "half-leaving");
  if (variant === undefined) return [];
  const value = Number(rateMet(runSale(variant)));
  const met = Math.abs(value - 100) <= 1;
  return [
    {
      name: "set rate met, half the heads gone (simulated)",
      value,
      unit: "%",
      goal: "100 ± 1",
      met,
    },
  ];
}

function save(): void {
  const cores = cpus();
  const machine = `${cores.length} cores (${cores[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.versions.node}`;
  const page = [
    "# Measured",
    "",
    `Made by \`npm run bench\`: ${turns} turns of ${seconds} s, both sides of a ratio in turns on the`,
    `same servers, load generators included. Machine: ${machine}.`,
    "",
    renderMeasured(measured, singles),
    "",
    ...(contest.length === 0
      ? []
      : [
          "## Three designs under the same load",
          "",
          "64 buyers at once, a pool of 16 connections, the same tables and indexes. With faults: locks",
          "lost and two sessions ended every 150 ms, one call in fifty stalled for longer than a lock",
          "lasts. Each repeats a call that was not answered. A double sale: two buyers were told that the",
          "seat is theirs. A lost order: the seat belongs to somebody who was told that it was taken.",
          "",
          renderContest(contest),
          "",
        ]),
  ].join("\n");
  const dir = join(ROOT_DIR, "bench");
  mkdirSync(dir, { recursive: true });
  writeFileSync(
    join(dir, "results.json"),
    `${JSON.stringify({ machine, turns, seconds, measured, singles, contest }, null, 2)}\n`,
  );
  writeFileSync(join(dir, "README.md"), page);
  console.log(page);
}
