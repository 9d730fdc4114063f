// Runs the organizer's client, and says what went wrong in one sentence.
import { Refused } from "./client.ts";
import { createProgram } from "./program.ts";

/** @param args without `node` and the script. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    await createProgram(process.env).parseAsync([...args], { from: "user" });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const status = error instanceof Refused ? error.status : undefined;
    console.error(args.includes("--json") ? JSON.stringify({ error: message, status }) : message);
    process.exitCode = 1;
  }
}
