// `npm run soak -- --minutes 30 --seed 1`: the long run. Writes `soak/report-<seed>.md`, and the same as
// `soak/report.md`, the latest; ends with 1 when anything was broken.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT_DIR } from "../../tools/services/root.ts";
import { FAULTS } from "./catalogue.ts";
import { findFailures, renderReport } from "./report.ts";
import { runStorm } from "./storm.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    fault: { type: "string", multiple: true },
    buyers: { type: "string", default: "16" },
    fans: { type: "string", default: "60" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  console.log(`npm run soak -- [--minutes 30] [--seed N] [--fault NAME …] [--buyers 16] [--fans 60]

--buyers, --fans   how many of each are there at once
--fault            only these faults (all by default):
${FAULTS.map(({ name }) => `                     ${name}`).join("\n")}`);
  process.exit(0);
}

const seed = Number(values.seed);
console.log(`Seed ${seed}, ${values.minutes} minutes.`);
const report = await runStorm({
  seed,
  faults: values.fault ?? FAULTS.map(({ name }) => name),
  loadMs: Number(values.minutes) * 60_000,
  buyersAtOnce: Number(values.buyers),
  fansAtOnce: Number(values.fans),
  say: (line) => console.log(`  ${line}`),
});
// A copy without its history can be run too.
const head = spawnSync("git", ["rev-parse", "--short", "HEAD"], {
  cwd: ROOT_DIR,
  encoding: "utf8",
});
const page = renderReport(report, head.stdout?.trim() || "unknown");
const dir = join(ROOT_DIR, "soak");
mkdirSync(dir, { recursive: true });
writeFileSync(join(dir, `report-${seed}.md`), page);
writeFileSync(join(dir, "report.md"), page);
const failures = findFailures(report);
console.log(
  failures.length === 0
    ? `Nothing was broken in ${report.operations} operations: soak/report.md`
    : `${failures.join("\n")}\nsoak/report.md has it all.`,
);
process.exit(failures.length === 0 ? 0 : 1);
