import type { RoomCore } from "./core.ts";
import type { Verdict } from "./messages.ts";

/**
 * The end of a rehearsal's room: Workers forget it first, then its line and its Doors go. A room that
 * people may have stood in is never removed: its draw and its log stay to be looked at.
 */
export async function retireRoom(room: RoomCore): Promise<Verdict<null>> {
  const { state, env } = room;
  if (state.settings.rehearsalOf === undefined)
    return {
      ok: false,
      code: "action_not_possible",
      detail: "Only the room of a rehearsal can be removed.",
      facts: { phase: state.phase },
    };
  const doors = room.doors();
  await env.DIRECTORY.get(env.DIRECTORY.idFromName("directory")).remove(state.event);
  await room.line.unlinkEpoch(state.epoch);
  await Promise.allSettled(doors.map(({ stub, room: door }) => stub.end(door)));
  return { ok: true, value: null };
}
