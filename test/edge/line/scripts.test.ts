import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { KEY_NAMES, lineKey, SCRIPT_KEYS, SCRIPT_NAMES } from "../../../edge/line/keys.ts";
import { readScriptTexts } from "../../../edge/line/scripts-node.ts";

const texts = readScriptTexts();
const folder = new URL("../../../edge/line/lua/", import.meta.url);
const code = (text: string) => text.replace(/--.*$/gm, "");

describe("the scripts of the line", () => {
  it("has a file for every script and no other", () => {
    const files = readdirSync(folder).map((file) => file.replace(/\.lua$/, ""));
    expect(files.sort()).toEqual([...SCRIPT_NAMES, "common"].sort());
  });

  it.each(SCRIPT_NAMES)(
    "%s says in its header which keys it gets, which arguments and what it returns",
    (name) => {
      const lines = texts[name].split("\n").filter((line) => line.startsWith("--"));
      const header = lines.join("\n");
      expect(lines[0]).toMatch(new RegExp(`^-- ${name}: `));
      const keys = /^-- keys: (.+)$/m.exec(header)?.[1]?.split(" ");
      expect(keys).toEqual([...SCRIPT_KEYS[name]]);
      expect(header).toMatch(/^-- args: /m);
      expect(header).toMatch(/^-- result: /m);
    },
  );

  it.each(SCRIPT_NAMES)("%s uses every key it is given, and no other key", (name) => {
    // What the script calls of common.lua counts as its own use.
    const shared = texts.common
      .split(/^(?=local function )/m)
      .filter((part) => {
        const called = /^local function (\w+)/.exec(part)?.[1];
        return called !== undefined && new RegExp(`\\b${called}\\(`).test(code(texts[name]));
      })
      .join("\n");
    const used = KEY_NAMES.filter((key) =>
      new RegExp(`\\b${key}\\b`).test(code(texts[name] + shared)),
    );
    expect(SCRIPT_KEYS[name].filter((key) => !used.includes(key) && key !== "META")).toEqual([]);
    const own = KEY_NAMES.filter((key) => new RegExp(`\\b${key}\\b`).test(code(texts[name])));
    expect(own.filter((key) => !(SCRIPT_KEYS[name] as readonly string[]).includes(key))).toEqual(
      [],
    );
  });

  it("names every key with the event as its hash tag, so that one server owns them all", () => {
    for (const name of KEY_NAMES) {
      expect(lineKey({ prefix: "t:", event: "demo" }, 3, name)).toBe(
        `t:room:{demo}:3:${name.toLowerCase()}`,
      );
    }
  });

  it("is imported as a whole by the bundle's loader", () => {
    const bundle = readFileSync(
      new URL("../../../edge/line/scripts-bundle.ts", import.meta.url),
      "utf8",
    );
    for (const name of [...SCRIPT_NAMES, "common"])
      expect(bundle).toContain(`from "./lua/${name}.lua"`);
  });
});
