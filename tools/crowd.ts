// `npm run crowd`: a synthetic crowd over HTTP against a running system, with figures at the end.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runCrowd } from "./crowd/run-crowd.ts";
import { Tally } from "./crowd/tally.ts";
import { STATE_DIR } from "./services/root.ts";

const { values } = parseArgs({
  options: {
    fans: { type: "string", default: "1000" },
    rate: { type: "string", default: "100" },
    event: { type: "string", default: "demo" },
    edge: { type: "string" },
    absent: { type: "string", default: "0" },
    shop: { type: "string", default: "5" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  console.log(`npm run crowd -- [--fans 1000] [--rate 100] [--event demo] [--edge URL]
                    [--absent 0.3] [--shop 5]

--rate     arrivals a second
--absent   the share that closes the tab before being called
--shop     seconds that an admitted fan stays before leaving
Ctrl-C ends early and still prints the summary.`);
  process.exit(0);
}

const fans = readNumber("fans");
const edge = values.edge ?? findEdge();
const tally = new Tally();
const stopping = new AbortController();
process.once("SIGINT", () => stopping.abort());
process.once("SIGTERM", () => stopping.abort());

console.log(`${fans} fans, ${values.rate} a second, to ${edge}/e/${values.event}`);
const startedAt = performance.now();
let arrivedAfterS = 0;
const progress = setInterval(() => {
  const shown = ["joined", "admitted", "left"].map((name) => `${tally.counted(name)} ${name}`);
  console.log(`${seconds().toFixed(0).padStart(5)} s  ${shown.join(", ")}`);
}, 2_000);
await runCrowd({
  edge,
  event: values.event,
  fans,
  ratePerSecond: readNumber("rate"),
  absentShare: readNumber("absent"),
  shopMs: { min: readNumber("shop") * 500, max: readNumber("shop") * 1_500 },
  signal: stopping.signal,
  tally,
  onJoined: () => {
    arrivedAfterS = seconds();
  },
});
clearInterval(progress);
printSummary();

function printSummary(): void {
  const joins = tally.counted("joined");
  const perSecond = (joins / Math.max(arrivedAfterS, 0.001)).toFixed(0);
  console.log(`\n${joins} joined in ${arrivedAfterS.toFixed(1)} s (${perSecond} a second)`);
  console.log(`${tally.counted("admitted")} admitted in ${seconds().toFixed(1)} s`);
  console.log(
    `${"call".padEnd(10)}${"count".padStart(9)}${"p50 ms".padStart(10)}${"p95 ms".padStart(10)}${"max ms".padStart(10)}`,
  );
  for (const { call, count, p50Ms, p95Ms, maxMs } of tally.calls()) {
    const figures = [p50Ms, p95Ms, maxMs].map((ms) => ms.toFixed(1).padStart(10)).join("");
    console.log(`${call.padEnd(10)}${String(count).padStart(9)}${figures}`);
  }
  const wrongs = tally.wrongs();
  console.log(wrongs.length === 0 ? "No wrong answers." : "Wrong answers:");
  for (const [what, times] of wrongs) console.log(`  ${times} × ${what}`);
  process.exitCode = wrongs.length === 0 ? 0 : 1;
}

function seconds(): number {
  return (performance.now() - startedAt) / 1_000;
}

function readNumber(name: "fans" | "rate" | "absent" | "shop"): number {
  const number = Number(values[name]);
  if (Number.isFinite(number) && number >= 0) return number;
  console.error(`--${name} must be a number, not "${values[name]}"`);
  return process.exit(1);
}

function findEdge(): string {
  const file = join(STATE_DIR, "dev.json");
  if (!existsSync(file)) {
    console.error("No running system was found: start `npm run dev`, or name one with --edge.");
    return process.exit(1);
  }
  const running: { edge: string } = JSON.parse(readFileSync(file, "utf8"));
  return running.edge;
}
