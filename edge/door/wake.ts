import type { DoorDesk } from "./desk.ts";
import type { WakeInput, WakeOutcome } from "./messages.ts";
import { refuse } from "./turn.ts";

/** By what a place wants to be woken. What is not named is forgotten; all of it goes with the place. */
export function keepWaker(desk: DoorDesk, input: WakeInput): WakeOutcome {
  const refused = refuse(desk, input, Date.now());
  if (refused) return refused;
  const { place, push, mail, number, index } = input;
  const known = number ?? desk.numberOf(index);
  for (const [kind, target] of [
    ["push", push],
    ["mail", mail],
  ] as const) {
    if (target === undefined) desk.wakers.drop({ place, kind });
    else if (desk.wakers.put({ place, kind, number: known, index, target }) === "full")
      return { kind: "full" };
  }
  return { kind: "kept" };
}
