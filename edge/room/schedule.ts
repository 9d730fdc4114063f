import { log } from "../http/problem.ts";
import { opensAtOf, type RoomCore } from "./core.ts";
import { dueChange, type PhaseChange, type RoomFacts } from "./phase.ts";
import type { RoomState } from "./state.ts";

/** What happens by itself: opening, close, selling out. Audited as the schedule's or capacity's act. */
const CHANGES_MAX = 4;

export function followSchedule(room: RoomCore, now: number): void {
  for (let changes = 0; changes < CHANGES_MAX; changes += 1) {
    const change = dueChange(phaseFacts(room.state), now);
    // The draw opens its room step by step, in `drawing.ts`.
    if (!change || change.by === "draw") return;
    room.ledger.together(() => applyDue(room, change, now));
  }
}

export function phaseFacts(state: RoomState): RoomFacts {
  const { settings, draw } = state;
  return {
    phase: state.phase,
    early: settings.early,
    beacon: settings.beacon.kind,
    opensAt: opensAtOf(state),
    closesAt: settings.closesAt === undefined ? null : Date.parse(settings.closesAt),
    opened: state.everOpen,
    journalsIn: !state.journalsPending,
    restoring: !state.serving,
    poolFixed: draw.count !== undefined,
    drawReady:
      settings.beacon.kind === "none" || draw.signature !== undefined || draw.without !== undefined,
    nothingLeft: state.pace.nothingLeft,
  };
}

function applyDue(room: RoomCore, change: PhaseChange, now: number): void {
  const { state } = room;
  room.ledger.audit({
    at: now,
    actor: change.by,
    action: change.phase,
    before: { phase: state.phase },
    after: { phase: change.phase },
  });
  log("room.phase", { event: state.event, from: state.phase, to: change.phase, by: change.by });
  enterPhase(state, change, now);
  room.bumpLine();
}

/** The record's side of every phase change, whoever makes it. */
export function enterPhase(state: RoomState, change: PhaseChange, now: number): void {
  state.phase = change.phase;
  state.endInside = change.endInside;
  state.reason = "";
  if (change.opensAt !== undefined) state.openedAt = change.opensAt;
  if (change.phase === "drawing" || change.phase === "open") state.openedAt ??= opensAtOf(state);
  if (change.closesAt === null) {
    const { closesAt: _, ...settings } = state.settings;
    state.settings = settings;
  }
  if (change.phase === "drawing") state.draw.shutAt ??= now;
  if (change.phase === "open") state.everOpen = true;
  if (change.phase === "closed") state.closedAt = now;
}
