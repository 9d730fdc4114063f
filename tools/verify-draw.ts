import { parseArgs } from "node:util";
import { openSource } from "./draw/source.ts";
import { type Finding, tell, verifyDraw } from "./draw/verify.ts";

/**
 * `npm run draw:verify -- <page of the event, or evidence file> [--place <token>]`: does a draw again
 * from what was published and says what it found. Exit code 0 when all of it holds, else 1.
 */
const USAGE =
  "Usage: npm run draw:verify -- <address of the event's page, or evidence file> [--place <token>]";

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { place: { type: "string" } },
  });
  const [where, more] = positionals;
  if (where === undefined || more !== undefined) {
    console.error(USAGE);
    return false;
  }
  const source = await openSource(where);
  console.log(`Reading ${source.name}\n`);
  const findings: Finding[] = await verifyDraw(source, values.place);
  for (const finding of findings) console.log(tell(finding));
  const failed = findings.filter(({ result }) => result === "failed").length;
  const passed = findings.filter(({ result }) => result === "passed").length;
  console.log(
    failed === 0
      ? `\nThe draw holds: ${passed} checks passed, none failed.`
      : `\nThe draw does NOT hold: ${failed} of ${passed + failed} checks failed.`,
  );
  return failed === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
