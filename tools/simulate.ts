// `npm run simulate`: a big on-sale in simulated time. Writes `simulation/`: a page and the charts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT_DIR } from "./services/root.ts";
import { renderChart, renderPage, renderTable } from "./simulate/page.ts";
import { type Outcome, runSale } from "./simulate/run.ts";
import { VARIANTS } from "./simulate/variants.ts";

const { values } = parseArgs({
  options: {
    variant: { type: "string", multiple: true },
    fans: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  const names = VARIANTS.map(({ name, says }) => `  ${name.padEnd(14)} ${says}`);
  console.log(`npm run simulate -- [--variant NAME …] [--fans 2000000]\n\n${names.join("\n")}`);
  process.exit(0);
}

const chosen = VARIANTS.filter(
  ({ name }) => values.variant === undefined || values.variant.includes(name),
);
const outcomes: Outcome[] = chosen.map((variant) => {
  const startedAt = performance.now();
  const outcome = runSale(values.fans ? { ...variant, fans: Number(values.fans) } : variant);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${variant.name}: ${outcome.seconds.length} simulated seconds in ${seconds} s`);
  return outcome;
});
const dir = join(ROOT_DIR, "simulation");
mkdirSync(dir, { recursive: true });
for (const outcome of outcomes)
  writeFileSync(join(dir, `${outcome.variant.name}.svg`), renderChart(outcome));
writeFileSync(join(dir, "README.md"), renderPage(outcomes));
console.log(`\n${renderTable(outcomes)}\n\nsimulation/README.md has it with the charts.`);
process.exitCode = outcomes.some(({ broken }) => broken.length > 0) ? 1 : 0;
