import { setTimeout as sleep } from "node:timers/promises";

/** Looks again and again; the test's own time limit ends a wait in vain. */
export async function waitFor(look: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await look())) await sleep(25);
}
