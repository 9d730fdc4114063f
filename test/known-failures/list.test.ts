// The list is true: each test it names is there, once, and runs.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT_DIR } from "../../tools/services/root.ts";
import { KNOWN_FAILURES } from "./list.ts";

/** As it stands in the source: in a string of either quotes, or the beginning of a template. */
const findIn = (source: string, name: string): string[] =>
  source
    .split("\n")
    .filter((line) => /["`]/.test(line) && line.includes(name.replaceAll('"', '\\"')));

test.each(KNOWN_FAILURES)("$number, $what, is covered", ({ coveredBy }) => {
  expect(coveredBy.length).toBeGreaterThan(0);
  for (const { file, test: name } of coveredBy) {
    const path = join(ROOT_DIR, file);
    expect(existsSync(path), `${file} is not there: name the file that took its tests`).toBe(true);
    const source = readFileSync(path, "utf8");
    expect(findIn(source, name), `${file} has no test "${name}": name its successor`).toHaveLength(
      1,
    );
    expect(source, `${file} skips tests`).not.toMatch(/\b(it|test|describe)\.(skip|only|todo)\(/);
  }
});

test("each number stands once, in order", () => {
  const numbers = KNOWN_FAILURES.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 26, 27, 28])
    expect(numbers).toContain(number);
});
