// Ends a CI run: reads vitest's own results, names what failed or was skipped, and prints one plain
// line at the end. Exits 0 only if everything ran and passed.
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const resultsSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numFailedTestSuites: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

const [file = "", exitCode = "1"] = process.argv.slice(2);
if (!existsSync(file)) {
  console.log("npm test left no results.\n0 passed, 1 failed");
  process.exit(1);
}
const results = resultsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
for (const { name, assertionResults } of results.testResults) {
  for (const { fullName, status } of assertionResults) {
    if (status !== "passed") console.log(`${status}: ${name}: ${fullName}`);
  }
}
const skipped = results.numPendingTests + results.numTodoTests;
if (skipped > 0) console.log(`${skipped} skipped: every test must run in CI.`);
// A file that failed outside its tests, or a failing run without a failed test, counts as one.
const broken = results.numFailedTests === 0 && exitCode !== "0" ? 1 : 0;
const failed = results.numFailedTests + broken + skipped;
console.log(`\n${results.numPassedTests} passed, ${failed} failed`);
process.exit(failed === 0 && results.numPassedTests > 0 ? 0 : 1);
