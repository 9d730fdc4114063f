// The script texts on Node: read from the files beside this one. Workerd uses `scripts-bundle.ts`.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ScriptName, ScriptTexts } from "./types.ts";

function readScript(name: ScriptName | "common"): string {
  return readFileSync(fileURLToPath(new URL(`./lua/${name}.lua`, import.meta.url).href), "utf8");
}

export function readScriptTexts(): ScriptTexts {
  return {
    admit: readScript("admit"),
    arrivals: readScript("arrivals"),
    common: readScript("common"),
    extend: readScript("extend"),
    figures: readScript("figures"),
    fill: readScript("fill"),
    join: readScript("join"),
    leave: readScript("leave"),
    peek: readScript("peek"),
    pool: readScript("pool"),
    refill: readScript("refill"),
    release: readScript("release"),
    tick: readScript("tick"),
    turn: readScript("turn"),
  };
}
