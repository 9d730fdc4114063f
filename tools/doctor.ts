// `npm run doctor`: looks at a system that runs, says what is wrong and how to mend it.
import { parseArgs, styleText } from "node:util";
import { examineSystem } from "./doctor/examine.ts";
import type { Finding } from "./doctor/finding.ts";
import { findTargets } from "./doctor/targets.ts";

const USAGE = `npm run doctor -- [--json] [--strict]

Looks at the system that this environment names (the core's variables), or at that of npm run dev:
clocks, PostgreSQL, the three Redis roles, who reaches whom, keys, provider, mail, and each sale's
window against its room. Exit code 0, or 1 when something must be mended (with --strict also for
what should be looked at).`;

const PART_WIDTH = 18;
const MARKS = {
  good: styleText("green", "✓"),
  look: styleText("yellow", "!"),
  bad: styleText("red", "✗"),
} as const;

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    strict: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(USAGE);
else await run();

async function run(): Promise<void> {
  try {
    const findings = await examineSystem(findTargets(process.env));
    if (values.json) console.log(JSON.stringify({ findings }));
    else for (const finding of findings) say(finding);
    const count = (level: Finding["level"]) =>
      findings.filter((finding) => finding.level === level).length;
    if (!values.json)
      console.log(`\n${count("good")} good, ${count("look")} to look at, ${count("bad")} to mend`);
    const isIll = count("bad") > 0 || (values.strict && count("look") > 0);
    process.exitCode = isIll ? 1 : 0;
  } catch (error) {
    // The environment itself: the message names each variable.
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

function say({ level, part, says, remedy }: Finding): void {
  console.log(`${MARKS[level]} ${part.padEnd(PART_WIDTH)} ${says}`);
  if (remedy !== undefined)
    console.log(`${" ".repeat(PART_WIDTH + 3)}${styleText("dim", `→ ${remedy}`)}`);
}
