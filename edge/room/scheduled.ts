import type { RoomSettings } from "../../shared/contract/rooms.ts";
import { followPace } from "./capacity.ts";
import type { RoomCore } from "./core.ts";
import { differences } from "./settings.ts";
import type { RoomState } from "./state.ts";

/**
 * Settings that change by themselves at a set time. A change is carried out once, audited as the
 * schedule's, and leaves the list in the same step.
 */
type Scheduled = RoomSettings["schedule"][number];

const atOf = (change: Scheduled): number => Date.parse(change.at);

/** What the settings are once the change has been made. Pure. */
export function applyScheduled(settings: RoomSettings, change: Scheduled): RoomSettings {
  const { at: _, reason: __, ...fields } = change;
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  const schedule = settings.schedule.filter((other) => other !== change);
  return { ...settings, ...Object.fromEntries(named), schedule };
}

export function followChanges(room: RoomCore, now: number): void {
  const { state } = room;
  const due = state.settings.schedule
    .filter((change) => atOf(change) <= now)
    .sort((a, b) => atOf(a) - atOf(b));
  for (const change of due)
    room.ledger.together(() => {
      const after = applyScheduled(state.settings, change);
      room.ledger.audit({
        at: now,
        actor: "schedule",
        action: "settings",
        ...differences(state.settings, after),
        reason: change.reason,
      });
      state.settings = after;
      state.version += 1;
      room.bumpLine();
      followPace(room, now);
    });
}

/** ms until the next change is due; infinite where there is none. */
export const msToNextChange = (state: RoomState, now: number): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...state.settings.schedule.map((change) => atOf(change) - now),
  );
