// RETRIES.md and the code say the same about time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./sources.ts";
import { findTimeLimits, showTime } from "./time-limits.ts";

const ROW = /^\| `([^`]+\.tsx?)` +\| `([A-Z0-9_]+)` +\| ([^|]+?) +\| ([^|]*) \|$/gm;

test("RETRIES.md lists every time limit of the code with its value and a reason, and no other", () => {
  const text = readFileSync(join(ROOT, "RETRIES.md"), "utf8");
  const listed = [...text.matchAll(ROW)].map(([, file = "", name = "", shown = "", why = ""]) => ({
    limit: `${file} ${name} = ${shown}`,
    why: why.trim(),
  }));
  const found = findTimeLimits().map(({ file, name, shown }) => `${file} ${name} = ${shown}`);
  const inList = new Set(listed.map(({ limit }) => limit));
  const inCode = new Set(found);
  const remedy = "add or correct the row in RETRIES.md: | `file` | `NAME` | value | why |";
  expect(
    found.filter((limit) => !inList.has(limit)),
    `not in RETRIES.md: ${remedy}`,
  ).toEqual([]);
  const stale = listed.filter(({ limit }) => !inCode.has(limit)).map(({ limit }) => limit);
  expect(stale, `not in the code: ${remedy}`).toEqual([]);
  const bare = listed.filter(({ why }) => why.length < 10).map(({ limit }) => limit);
  expect(bare, "say why it is so long and not longer").toEqual([]);
});

test("a time is shown in the largest unit that fits", () => {
  expect([900_000, 1_500, 86_400_000, 3_600_000].map(showTime)).toEqual([
    "15 min",
    "1500 ms",
    "1 d",
    "1 h",
  ]);
});
