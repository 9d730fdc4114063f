// Rules that we care about and that no tool checks. Each failure says where, and what to do.
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findCitations } from "./tidy/citations.ts";
import {
  findLines,
  isIn,
  isTypeScript,
  ROOT,
  readImports,
  readSources,
  report,
  type SourceFile,
} from "./tidy/sources.ts";

const LINES_MAX = 300;
const README_LINES_MAX = 40;
const TOP_FOLDERS = ["core", "edge", "migrations", "shared", "test", "tools"];

const all = readSources();
const code = all.filter(isTypeScript);
const inProduct = code.filter(isIn("core", "edge", "shared"));
// The rules' own text names what it forbids.
const besidesRules = all.filter(({ path }) => !/^test\/tidy/.test(path));

function expectNone(found: readonly string[], remedy: string): void {
  expect(found.length, report(found, remedy)).toBe(0);
}

describe("who may import whom", () => {
  const findImports = (
    files: readonly SourceFile[],
    isForbidden: (target: string, isOurs: boolean) => boolean,
  ): string[] =>
    files.flatMap((file) =>
      readImports(file)
        .filter(({ target, isOurs }) => isForbidden(target, isOurs))
        .map(({ line, target }) => `${file.path}:${line}: imports ${target}`),
    );

  test("shared code imports nothing of the gate, the core, or Node", () => {
    const found = findImports(code.filter(isIn("shared")), (target, isOurs) =>
      isOurs ? !target.startsWith("shared/") : target.startsWith("node:"),
    );
    expectNone(
      found,
      "shared/ runs in browsers, Workers and Node: move what it needs into shared/.",
    );
  });

  test("the gate imports only itself and shared code", () => {
    const gate = code.filter(isIn("edge"));
    const found = findImports(gate, (target, isOurs) => isOurs && !/^(edge|shared)\//.test(target));
    expectNone(found, "The gate never knows the core: say it in shared/contract, or over HTTP.");
  });

  test("the pages import only themselves and shared code", () => {
    const pages = code.filter(isIn("edge/pages"));
    const found = findImports(
      pages,
      (target, isOurs) => isOurs && !/^(edge\/pages|shared)\//.test(target),
    );
    expectNone(found, "A page is a client like any other: move what both need into shared/.");
  });

  test("the core imports only itself and shared code", () => {
    const core = code.filter(isIn("core"));
    const found = findImports(core, (target, isOurs) => isOurs && !/^(core|shared)\//.test(target));
    expectNone(found, "The core never knows the gate: say it in shared/contract, or over HTTP.");
  });

  test("the database driver is touched in one folder", () => {
    const core = code.filter((file) => isIn("core")(file) && !isIn("core/db")(file));
    const found = findImports(core, (target) => target === "postgres");
    expectNone(found, "Only core/db may import postgres: use the Db of the context.");
  });

  test("no product code imports tools or tests", () => {
    const found = findImports(
      inProduct,
      (target, isOurs) => isOurs && /^(tools|test)\//.test(target),
    );
    expectNone(found, "Tools and tests know the product, never the other way round.");
  });
});

describe("what product code must not say", () => {
  test("no interactive transaction in the core", () => {
    // A migration is an operator's command, alone on its connection; no request waits for it.
    const requests = code
      .filter(isIn("core"))
      .filter(({ path }) => path !== "core/db/migration-session.ts");
    const found = findLines(requests, /\.begin\(/);
    expectNone(
      found,
      "One statement or one SQL function decides (03): write it in migrations/functions.",
    );
  });

  test("the environment is read in two files only", () => {
    const allowed = new Set(["core/config.ts", "edge/env.ts"]);
    const found = findLines(
      inProduct.filter(({ path }) => !allowed.has(path)),
      /process\.env|import\.meta\.env/,
    );
    expectNone(found, "Read it in core/config.ts or edge/env.ts and pass the value on.");
  });

  test("nothing in the gate or the core knows the example events", () => {
    const found = findLines(all.filter(isIn("core", "edge")), /\bdemo\b/i);
    expectNone(found, "The seed goes through the organizer API: keep the name in tools/demo.");
  });

  test("types are not talked away", () => {
    const found = findLines(
      code.filter((file) => besidesRules.includes(file)),
      /\bas unknown as\b|@ts-(ignore|expect-error|nocheck)|biome-ignore|: any\b|<any>/,
    );
    expectNone(found, "Narrow the value (a check, a zod schema, satisfies) instead of casting it.");
  });

  test("no work is left as a note", () => {
    const found = findLines(besidesRules, /\b(TODO|FIXME|XXX|HACK)\b/);
    expectNone(found, "Do it now, or open an issue; the source says what is.");
  });
});

describe("files", () => {
  test(`no file is longer than ${LINES_MAX} lines`, () => {
    const found = all
      .filter(({ path }) => /\.(tsx?|lua)$/.test(path) || path.startsWith("migrations/functions/"))
      .filter(({ lines }) => lines.length > LINES_MAX)
      .map(({ path, lines }) => `${path}: ${lines.length} lines`);
    expectNone(found, "One verb a file: split it by what a reader would look for.");
  });

  test("names are kebab-case, SQL is snake_case", () => {
    const found = all
      .map(({ path }) => path)
      .filter((path) => /\.(tsx?|lua|css|html|sql)$/.test(path))
      .filter((path) => {
        const name = basename(path);
        if (name.endsWith(".sql")) return !/^[a-z0-9]+(_[a-z0-9]+)*\.sql$/.test(name);
        return !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)+$/.test(name);
      });
    expectNone(found, "Rename: words in lower case with hyphens (underscores in SQL).");
  });

  test("no file or folder is called utils or helpers", () => {
    const found = all
      .map(({ path }) => path)
      .filter((path) => /(^|\/)(utils?|helpers?)(\/|\.)/.test(path));
    expectNone(found, "Name it after what it does, beside what uses it.");
  });

  test("no test is switched off or alone", () => {
    const tests = code.filter((file) => isIn("test")(file) && besidesRules.includes(file));
    const found = findLines(tests, /\b(it|test|describe)\.(only|skip|todo)\b|\bx(it|describe)\(/);
    expectNone(found, "A test runs always or is not there; skipIf is for a missing browser only.");
  });

  test("every top folder has a README of at most 40 lines", () => {
    const found = TOP_FOLDERS.flatMap((folder) => {
      const readme = all.find(({ path }) => path === `${folder}/README.md`);
      if (readme === undefined) return [`${folder}/README.md is missing`];
      const { length } = readme.lines;
      return length > README_LINES_MAX ? [`${readme.path}: ${length} lines`] : [];
    });
    expectNone(found, "Say what the folder is, what it never does, and where to begin reading.");
  });
});

describe("documents and comments", () => {
  test("every cited path exists", () => {
    const found = besidesRules
      .flatMap((file) => findCitations(file))
      .map(({ path, line, cited }) => `${path}:${line}: ${cited}`);
    expectNone(found, "Cite the file's present path, or drop the citation.");
  });

  test("no path of somebody's machine is written down", () => {
    const found = findLines(besidesRules, /(^|[\s"'`(=])\/(work|home\/[a-z]+|Users\/[A-Za-z]+)\//);
    expectNone(found, "Say it from the repository's root.");
  });

  test("the migrations are numbered without a gap", () => {
    const dir = join(ROOT, "migrations");
    const numbers = (existsSync(dir) ? readdirSync(dir) : [])
      .filter((name) => name.endsWith(".sql"))
      .map((name) => Number(name.slice(0, 4)))
      .sort((a, b) => a - b);
    expect(numbers, "Number tables' files 0001, 0002, … and never change a released one.").toEqual(
      numbers.map((_, index) => index + 1),
    );
  });
});
