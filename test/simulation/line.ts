// `npm run simulate:line`: the gate's own Room and Doors and the real scripts in two real Redis servers,
// in simulated time, with everything that goes wrong. Ends with 1 when something did not hold.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createProcesses } from "../../tools/services/processes.ts";
import { startRedis } from "../../tools/services/redis.ts";
import { ROOT_DIR, STATE_DIR } from "../../tools/services/root.ts";
import { PLANTS } from "./plants.ts";
import { type Run, renderReport } from "./report.ts";
import { loadClasses, makeVariables, simulateSale } from "./sale.ts";
import { Servers } from "./servers.ts";
import { Time } from "./time.ts";

const STEPS_A_SALE = 20_000;
const { values } = parseArgs({
  options: {
    steps: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    "look-every": { type: "string", default: "20" },
    "no-report": { type: "boolean", default: false },
    "no-quiet": { type: "boolean", default: false },
    plant: { type: "string" },
    loud: { type: "boolean", default: false },
  },
});
const plant = values.plant === undefined ? undefined : PLANTS[values.plant];
if (values.plant !== undefined && !plant) throw new Error(`no such bug: ${values.plant}`);
const wanted = Number(values.steps);
const firstSeed = Number(values.seed);
const startedAt = performance.now();
const realSetTimeout = setTimeout;
const processes = createProcesses(join(STATE_DIR, `simulate-${process.pid}`));
const [one, two] = await Promise.all([
  startRedis(processes, { name: "one" }),
  startRedis(processes, { name: "two" }),
]);
const servers = new Servers([one.url, two.url]);
const variables = await makeVariables();
// The objects log what they meet; there is much of it.
if (!values.loud) console.log = () => undefined;
const say = (text: string) => process.stdout.write(`${text}\n`);
const time = new Time();
time.rule();
const ground = { time, servers, classes: await loadClasses(), variables };
const lookEvery = Number(values["look-every"]);
/** After each sale, so that a long run that is stopped leaves what it has seen. */
const write = (runs: readonly Run[]) => {
  const seconds = (performance.now() - startedAt) / 1_000;
  const report = renderReport(runs, { seconds, lookEvery });
  const dir = join(ROOT_DIR, "simulation");
  mkdirSync(dir, { recursive: true });
  if (!values["no-report"]) writeFileSync(join(dir, "line.md"), report.text);
  return report;
};
const runs: Run[] = [];
let steps = 0;
for (let n = 0; steps < wanted; n += 1) {
  const seed = firstSeed + n;
  const early = n % 2 === 0 ? ("draw" as const) : ("fifo" as const);
  const result = await simulateSale(ground, {
    seed,
    early,
    steps: Math.min(STEPS_A_SALE, wanted - steps),
    lookEvery,
    quiet: !values["no-quiet"],
    ...(plant ? { scripts: plant() } : {}),
  });
  steps += result.steps;
  runs.push({ seed, early, ...result });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  say(
    `seed ${seed} (${early}): ${result.steps} steps, ${Math.round(result.simulatedMs / 60_000)} simulated minutes, ` +
      `${result.admissions} admissions, ${result.checks} checks, ${result.broken.length} broken; ${steps} steps in ${seconds} s`,
  );
  for (const sentence of result.broken) say(`  ${sentence}`);
  write(runs);
  if (result.broken.length > 0) break;
}
const report = write(runs);
say(report.table);
servers.close();
globalThis.setTimeout = realSetTimeout;
await processes.stopAll();
process.exit(report.ok ? 0 : 1);
