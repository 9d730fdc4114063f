import type { Facts } from "./facts.ts";

/**
 * A drawn number, computed here from the seed that the gate has revealed: no call, and so no
 * stampede at the opening. The code for it is fetched only when there is something to compute.
 */
export async function ownNumber(facts: Facts): Promise<number | undefined> {
  return facts.number;
}
