import type { RoomActionName } from "../../shared/contract/rooms.ts";
import type { Phase } from "../line/types.ts";

/** What each act of an organizer makes of a phase; `undefined` where it is not possible. Pure. */
type PhaseAct = Exclude<RoomActionName, "reset" | "admit" | "draw_without_beacon">;

export type PhaseChange = { phase: Phase; endInside: boolean };

export function decideAction(input: {
  action: PhaseAct;
  phase: Phase;
  early: "draw" | "fifo";
}): PhaseChange | undefined {
  const { action, phase, early } = input;
  const to = (next: Phase, endInside = false): PhaseChange => ({ phase: next, endInside });
  switch (action) {
    case "open":
      if (phase !== "upcoming") return undefined;
      return to(early === "draw" ? "drawing" : "open");
    case "pause":
      return phase === "open" ? to("paused") : undefined;
    case "stop":
      return phase === "open" || phase === "paused" || phase === "sold_out"
        ? to("paused", true)
        : undefined;
    case "resume":
      return phase === "paused" ? to("open") : undefined;
    case "sold_out":
      return phase === "open" || phase === "paused" ? to("sold_out") : undefined;
    case "reopen":
      return phase === "sold_out" || phase === "closed" ? to("open") : undefined;
    case "close":
      return phase === "closed" ? undefined : to("closed", true);
  }
}
