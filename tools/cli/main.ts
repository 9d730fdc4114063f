// Runs the organizer's client, and says what went wrong in one sentence.
import { createProgram } from "./program.ts";

/** @param args without `node` and the script. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    await createProgram(process.env).parseAsync([...args], { from: "user" });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
