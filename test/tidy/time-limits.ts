// Every time limit of the code, found by the unit in its name (06: `…_MS`, `…_S`), and the tries of
// what is tried again. Values are worked out from the source, never from a running program.
import { isIn, isTypeScript, readSources } from "./sources.ts";

export type TimeLimit = { file: string; name: string; shown: string };

const CONSTANT =
  /^(?:export )?const ([A-Z][A-Z0-9_]*(?:_MS|_S|_TRIES|RETRIES)(?:_[A-Z]+)*)\s*=\s*([^;]+);/gm;
/** Names of units, and the steps of a histogram, limit nothing. */
const NO_LIMIT = /^(SECOND|MINUTE|HOUR|DAY)_(MS|S)$|_BUCKETS_S$/;

function worked(expression: string, known: ReadonlyMap<string, number>): number {
  const terms = expression.split("+").map((term) =>
    term.split("*").reduce((product, factor) => {
      const text = factor
        .trim()
        .replace(/^"(.*)"$/, "$1")
        .replaceAll("_", "");
      const number = known.get(factor.trim()) ?? Number(text);
      return product * number;
    }, 1),
  );
  return terms.reduce((sum, term) => sum + term, 0);
}

const UNITS: [number, string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
];

export function showTime(ms: number): string {
  const [unit, name] = UNITS.find(([size]) => ms >= size && ms % size === 0) ?? [1, "ms"];
  return `${ms / unit} ${name}`;
}

const unitOf = (name: string): "ms" | "s" | "times" =>
  /_(TRIES|RETRIES)\b|TRIES_MAX|RETRIES_MAX/.test(name)
    ? "times"
    : /_MS\b|_MS_/.test(name)
      ? "ms"
      : "s";

export function findTimeLimits(): TimeLimit[] {
  const files = readSources().filter(
    (file) => isTypeScript(file) && isIn("core", "edge", "shared")(file),
  );
  const units: [string, number][] = [
    ["SECOND_MS", 1_000],
    ["MINUTE_MS", 60_000],
    ["HOUR_MS", 3_600_000],
    ["DAY_MS", 86_400_000],
    ["DAY_S", 86_400],
  ];
  return files.flatMap(({ path, lines }) => {
    const known = new Map(units);
    const found: TimeLimit[] = [];
    for (const [, name = "", raw = ""] of lines.join("\n").matchAll(CONSTANT)) {
      const list = /^\[([\s\S]*?),?\s*\](?: as const)?$/.exec(raw.trim());
      const values = (list?.[1] ?? raw).split(",").map((one) => worked(one, known));
      if (list === null && values[0] !== undefined) known.set(name, values[0]);
      if (NO_LIMIT.test(name)) continue;
      const unit = unitOf(name);
      const show = (value: number) =>
        unit === "times" ? `${value} times` : showTime(unit === "s" ? value * 1_000 : value);
      found.push({ file: path, name, shown: values.map(show).join(", ") });
    }
    return found;
  });
}
