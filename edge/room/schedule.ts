import { log } from "../http/problem.ts";
import { opensAtOf, type RoomCore } from "./core.ts";

/** What happens by the clock alone: the opening and the close, audited as the schedule's own acts. */
export function followSchedule(room: RoomCore, now: number): "closed" | undefined {
  const { state } = room;
  const { closesAt } = state.settings;
  if (closesAt !== undefined && now >= Date.parse(closesAt) && state.phase !== "closed") {
    changePhase(room, { now, to: "closed", why: "closesAt" });
    state.closedAt = now;
    state.endInside = true;
    room.bumpLine();
    return "closed";
  }
  if (state.phase !== "upcoming" || now < opensAtOf(state)) return undefined;
  if (state.settings.early === "draw") {
    state.draw.shutAt ??= now;
    changePhase(room, { now, to: "drawing", why: "opensAt" });
  } else {
    changePhase(room, { now, to: "open", why: "opensAt" });
  }
  room.bumpLine();
  return undefined;
}

function changePhase(
  room: RoomCore,
  change: { now: number; to: "open" | "drawing" | "closed"; why: string },
): void {
  const { state } = room;
  room.ledger.audit({
    at: change.now,
    actor: "schedule",
    action: change.to,
    before: { phase: state.phase },
    after: { phase: change.to },
    reason: change.why,
  });
  log("room.phase", { event: state.event, from: state.phase, to: change.to, why: change.why });
  state.phase = change.to;
  state.reason = "";
}
