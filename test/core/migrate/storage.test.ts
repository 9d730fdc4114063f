// STORAGE.md names everything that is kept: a table, key or object that is new belongs on that page.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KEY_NAMES } from "../../../edge/line/keys.ts";
import { ROOT_DIR } from "../../../tools/services/root.ts";

const page = readFileSync(join(ROOT_DIR, "STORAGE.md"), "utf8");

/** Every source of a folder, by a pattern whose first group is a name. */
function findNames(folder: string, extension: string, pattern: RegExp): string[] {
  const files = readdirSync(join(ROOT_DIR, folder), { recursive: true, encoding: "utf8" });
  const names = files
    .filter((file) => file.endsWith(extension) && !file.includes("pages/"))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT_DIR, folder, file), "utf8");
      return [...text.matchAll(pattern)].map(([, name = ""]) => name);
    });
  return [...new Set(names)].sort();
}

const expectNamed = (names: readonly string[], atLeast: number) => {
  expect(names.length).toBeGreaterThanOrEqual(atLeast);
  const missing = names.filter((name) => !new RegExp(`\`${name}[\`:-]`).test(page));
  expect(missing, "say on STORAGE.md who owns it, how long it lives, what its loss costs").toEqual(
    [],
  );
};

describe("STORAGE.md", () => {
  test("has every table of PostgreSQL", () => {
    expectNamed(findNames("migrations", ".sql", /^create (?:unlogged )?table (\w+)/gm), 30);
  });

  test("has every table of the Durable Objects", () => {
    expectNamed(findNames("edge", ".ts", /create table if not exists (\w+)/g), 12);
  });

  test("has every key of the line", () => {
    expectNamed(
      KEY_NAMES.map((name) => name.toLowerCase()),
      10,
    );
  });

  test("has every key of the core's Redis", () => {
    expectNamed(findNames("core", ".ts", /prefix\}([a-z-]+)/g), 9);
  });
});
