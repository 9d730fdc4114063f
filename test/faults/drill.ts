// `npm run drill`: begins each fault of the runbook on the running system with people in it, waits for
// its alarm, mends it as its page says, and writes on the page what was really seen.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ROOT_DIR } from "../../tools/services/root.ts";
import { History } from "../invariants/history.ts";
import { FAULTS, type Fault } from "./catalogue.ts";
import { createDice } from "./dice.ts";
import { DRILL_FAULTS } from "./drills.ts";
import { Load, type Seen, type Tier } from "./load.ts";
import { PAGES } from "./runbook.ts";
import { createSale, watchStatus } from "./sale.ts";
import { firstGood, longestGap, startCrowd } from "./storm.ts";
import { startTown } from "./town.ts";

const { values } = parseArgs({
  options: {
    page: { type: "string", multiple: true },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(`npm run drill -- [--page NAME …] [--seed N]

Drills the faults of ops/runbook/ (all pages by default) and writes what was seen on each page:
${Object.keys(PAGES).join(", ")}`);
  process.exit(0);
}

const HIT_PATIENCE_MS = 10_000;
/** After the end of a fault: until alarms have been told that are over. */
const AFTER_MS = 9_000;
const MARKS = { begin: "<!-- drilled -->", end: "<!-- /drilled -->" };

type Told = { readonly name: string; readonly state: "firing" | "ended"; readonly at: number };

const told: Told[] = [];
const webhook = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { name, state }: Omit<Told, "at"> = JSON.parse(Buffer.concat(chunks).toString());
    told.push({ name, state, at: Date.now() });
    response.writeHead(204).end();
  });
});
await new Promise<void>((done) => webhook.listen(0, "127.0.0.1", done));
const { port } = webhook.address() as AddressInfo;

const seed = Number(values.seed);
const town = await startTown(createDice(seed + 1).next, {
  alarmUrl: `http://127.0.0.1:${port}/`,
});
const load = new Load(town, new History(), createDice(seed));
try {
  await createSale(load, { rows: 400, standing: 20_000 });
  const crowd = startCrowd(load, { buyersAtOnce: 5, fansAtOnce: 20 }, []);
  // Somebody asks the gate once a second, whoever else is shopping.
  const watch = watchStatus(load);
  await sleep(4_000);
  for (const page of values.page ?? Object.keys(PAGES)) {
    const lines: string[] = [];
    for (const { fault: name, lastsMs } of PAGES[page] ?? []) {
      const fault = [...FAULTS, ...DRILL_FAULTS].find((one) => one.name === name);
      if (fault === undefined) throw new Error(`there is no fault "${name}"`);
      lines.push(await drill(fault, lastsMs ?? fault.lastsMs));
    }
    writePage(page, lines);
  }
  load.stopping.abort();
  await Promise.all([crowd, watch]);
} finally {
  await town.stop();
  webhook.close();
}

async function drill(fault: Fault, lastsMs: number): Promise<string> {
  const seen: Seen[] = [];
  const from = Date.now();
  load.onAnswer = (answer) => seen.push(answer);
  await fault.begin(load);
  await sleep(lastsMs);
  let hits = await fault.hits(load);
  while (hits === 0 && Date.now() - from < HIT_PATIENCE_MS) {
    await sleep(100);
    hits = await fault.hits(load);
  }
  const mendedAt = Date.now();
  await fault.end(load);
  const endedAt = Date.now();
  const back: Partial<Record<Tier, number>> = {};
  const still: Partial<Record<Tier, number>> = {};
  for (const tier of ["core", "gate"] as const) {
    const at = await firstGood(load, tier, endedAt);
    if (at === undefined) continue;
    back[tier] = at - endedAt;
    still[tier] = longestGap(load, tier, { from, to: at });
  }
  const during = [...seen];
  await sleep(AFTER_MS);
  load.onAnswer = () => undefined;
  const seconds = (ms: number | undefined) =>
    ms === undefined ? "not within a minute" : `${(ms / 1_000).toFixed(1)} s`;
  const line = [
    `- **${fault.name}**, ${seconds(mendedAt - from)}, mended in ${seconds(endedAt - mendedAt)}; ${hits} hit.`,
    `  - Answers meanwhile: ${tierLine(during, "core")}; ${tierLine(during, "gate")}.`,
    `  - Longest without a good answer: core ${seconds(still.core)}, gate ${seconds(still.gate)}; ` +
      `good again after the end: core ${seconds(back.core)}, gate ${seconds(back.gate)}.`,
    `  - Alarms: ${alarmLine(from)}.`,
  ].join("\n");
  console.log(line);
  return line;
}

/** `core 120 good, 3 cut, 12 unavailable`. */
function tierLine(seen: readonly Seen[], tier: Tier): string {
  const mine = seen.filter((answer) => answer.tier === tier);
  const counts = new Map<string, number>();
  for (const { outcome, code } of mine) {
    const isGood = outcome !== "cut" && outcome < 500 && outcome !== 429;
    const word = isGood ? "good" : (code ?? String(outcome));
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].toSorted((a, b) => b[1] - a[1]).map(([word, n]) => `${n} ${word}`);
  return `${tier} ${words.length === 0 ? "none" : words.join(", ")}`;
}

function alarmLine(from: number): string {
  const mine = told.filter(({ at }) => at >= from);
  if (mine.length === 0) return "none rang";
  return mine
    .map(
      ({ name, state, at }) =>
        `\`${name}\` ${state === "firing" ? "rang" : "ended"} after ${((at - from) / 1_000).toFixed(0)} s`,
    )
    .join(", ");
}

function writePage(page: string, lines: readonly string[]): void {
  const file = join(ROOT_DIR, "ops/runbook", `${page}.md`);
  const text = readFileSync(file, "utf8");
  const [before, rest] = text.split(MARKS.begin);
  const after = rest?.split(MARKS.end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${file} has no place between ${MARKS.begin} and ${MARKS.end}`);
  const [cpu] = cpus();
  const machine = `${cpus().length} shared cores (${cpu?.model.trim() ?? "unknown"})`;
  const day = new Date().toISOString().slice(0, 10);
  const body = `\nOn ${day}, ${machine}, 25 people at once:\n\n${lines.join("\n")}\n`;
  writeFileSync(file, `${before}${MARKS.begin}\n${body}\n${MARKS.end}${after}`);
}
