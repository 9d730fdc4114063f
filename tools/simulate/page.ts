// The simulation as a table and as drawn charts.
import type { Second } from "./model.ts";
import type { Outcome } from "./run.ts";
import { PRICES } from "./tiers.ts";
import { ASSUMED } from "./variants.ts";

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
const minutes = (seconds: number): string => (seconds / 60).toFixed(1);
const millions = (n: number): string => (n / 1_000_000).toFixed(2);

type Column = readonly [title: string, cell: (outcome: Outcome) => string];

const COLUMNS: readonly Column[] = [
  ["variant", ({ variant }) => variant.name],
  ["sold out after, min", ({ soldOutS }) => (soldOutS === undefined ? "never" : minutes(soldOutS))],
  ["admitted", (o) => String(o.admittedPeople + o.admittedBots)],
  [
    "of them people, %",
    (o) => ((100 * o.admittedPeople) / (o.admittedPeople + o.admittedBots)).toFixed(1),
  ],
  ["rate met, %", (o) => rateMet(o)],
  ["wait p50, min", (o) => minutes(quantile(o.waitsS, 0.5))],
  ["wait p95, min", (o) => minutes(quantile(o.waitsS, 0.95))],
  [
    "promised ranges kept, %",
    ({ promises }) =>
      promises.made === 0 ? "–" : ((100 * promises.kept) / promises.made).toFixed(0),
  ],
  ["files, M", ({ tiers }) => millions(tiers.cdn)],
  ["Worker, M", ({ tiers }) => millions(tiers.worker)],
  ["objects, M", ({ tiers }) => millions(tiers.objects)],
  ["Redis, M", ({ tiers }) => millions(tiers.redis)],
  ["Redis peak, /s", ({ tiers }) => tiers.redisPeak.toFixed(0)],
  ["core, M", ({ tiers }) => millions(tiers.core)],
  ["cost, $", ({ tiers }) => tiers.usd().toFixed(2)],
  [
    "cost per 1,000 seats, $",
    ({ tiers, variant }) => ((tiers.usd() / variant.seats) * 1_000).toFixed(2),
  ],
  ["invariants broken", ({ broken }) => String(broken.length)],
];

/** Admissions against the rate in force, from the second minute on. */
export function rateMet({ seconds }: Outcome): string {
  const from = seconds[120];
  const to = seconds.at(-1);
  if (from === undefined || to === undefined) return "–";
  const allowed = seconds.slice(120).reduce((sum, { rate }) => sum + rate / 60, 0);
  return ((100 * (to.admitted - from.admitted)) / allowed).toFixed(1);
}

export function renderTable(outcomes: readonly Outcome[]): string {
  const rows = COLUMNS.map(([title, cell]) => `| ${title} | ${outcomes.map(cell).join(" | ")} |`);
  const [head = "", ...rest] = rows;
  return [head, `| --- |${outcomes.map(() => " ---: |").join("")}`, ...rest].join("\n");
}

export function renderPage(outcomes: readonly Outcome[]): string {
  return [
    "# A big on-sale, simulated",
    "",
    "Made by `npm run simulate`: 2,000,000 fans for 60,000 seats, second by second, with the gate's own",
    "functions for calling, pace and estimate and the draw's own permutation.",
    "",
    ...outcomes.map(({ variant }) => `- **${variant.name}**: ${variant.says}.`),
    "",
    renderTable(outcomes),
    "",
    ...outcomes.map(({ variant }) => `![${variant.name}](${variant.name}.svg)`),
    "",
    "## What is assumed",
    "",
    "| what | value |",
    "| --- | ---: |",
    ...Object.entries(ASSUMED).map(([name, value]) => `| ${name} | ${String(value)} |`),
    "",
    "| price | of | $ |",
    "| --- | --- | ---: |",
    ...PRICES.map(({ what, unit, usd }) => `| ${what} | ${unit} | ${usd} |`),
    "",
    "Invariants, after each second: inside within the cap, admissions in any minute within the rate,",
    "nobody admitted twice, in the order of numbers among those at the door, nobody called who has no",
    "number, everybody accounted for, never more seats sold than there are.",
    "",
    ...outcomes.flatMap(({ variant, broken }) =>
      broken.map((what) => `- ${variant.name}: ${what}`),
    ),
    "",
  ].join("\n");
}

const WIDTH = 920;
const PANEL = 130;
const LEFT = 80;

type Panel = readonly [title: string, color: string, value: (second: Second) => number];

const PANELS: readonly Panel[] = [
  ["waiting", "#1b4965", ({ waiting }) => waiting],
  ["admitted", "#2a7f62", ({ admitted }) => admitted],
  ["inside", "#8a5a00", ({ inside }) => inside],
  ["seats sold", "#9b2226", ({ sold }) => sold],
  ["Worker requests a second", "#5f0f40", ({ requestsPerS }) => requestsPerS],
  ["Redis commands a second", "#3d405b", ({ redisPerS }) => redisPerS],
];

export function renderChart({ variant, seconds }: Outcome): string {
  const height = PANELS.length * PANEL + 50;
  const last = Math.max(1, seconds.length - 1);
  const step = Math.max(1, Math.floor(seconds.length / 400));
  const shown = seconds.filter((_, i) => i % step === 0 || i === last);
  const panels = PANELS.map(([title, color, value], row) => {
    const top = 40 + row * PANEL;
    const most = Math.max(1, ...shown.map(value));
    const points = shown
      .map((second, i) => {
        const x = LEFT + ((WIDTH - LEFT - 20) * i) / Math.max(1, shown.length - 1);
        const y = top + (PANEL - 36) * (1 - value(second) / most);
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      })
      .join(" ");
    return `<text x="${LEFT}" y="${top - 6}">${title}</text>
<text x="${LEFT - 8}" y="${top + 8}" text-anchor="end">${Math.round(most).toLocaleString("en")}</text>
<line x1="${LEFT}" x2="${WIDTH - 20}" y1="${top + PANEL - 36}" y2="${top + PANEL - 36}" stroke="#999"/>
<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.6"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">
<title>${variant.name}: ${variant.says}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="18" font-size="14" font-weight="bold">${variant.name}: ${variant.says}</text>
${panels.join("\n")}
<text x="${WIDTH - 20}" y="${height - 8}" text-anchor="end">${(last / 60).toFixed(1)} minutes</text>
</svg>
`;
}
