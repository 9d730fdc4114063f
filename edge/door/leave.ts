import type { Row } from "../line/types.ts";
import type { DoorDesk } from "./desk.ts";
import type { LeaveInput, LeaveOutcome } from "./messages.ts";
import { refuse } from "./turn.ts";

/** Leaving is final and always succeeds: without Redis it is written down and told to it later. */
export async function leavePlace(desk: DoorDesk, input: LeaveInput): Promise<LeaveOutcome> {
  const refused = refuse(desk, input, Date.now());
  if (refused?.kind === "gone") return { kind: "left" };
  if (refused) return refused;
  const { place } = input;
  desk.wakers.forget(place);
  const row = desk.rows.find(place);
  const number = input.number ?? (await desk.drawnNumberOf(input.index)) ?? null;
  const fence = await desk.readyFence();
  if (fence) {
    const result = await desk.line.leave(fence, { place, number, ...(row ? { row } : {}) });
    if (result.state === "left") {
      desk.rows.put(result.row);
      desk.journal.forget(place);
      if (row?.kind === "claimed" && input.closedAtCore) await giveSlotBack(desk, row);
      return { kind: "left" };
    }
    desk.onAway(result);
  }
  // Without number and index the place counts as one that nobody ever numbered.
  const known = number ?? (input.index === undefined ? -1 : 0);
  desk.rows.put(leftRow({ row, place, number: known, now: Date.now() }));
  desk.journal.forget(place);
  desk.owesLeave(place);
  return { kind: "left" };
}

/** Without Redis the slot runs to its end, as it does where the core has not heard of the leave. */
async function giveSlotBack(desk: DoorDesk, row: Row): Promise<void> {
  const { fence } = desk;
  if (!fence) return;
  const jti = `${row.place}.${row.misses}`;
  const result = await desk.line.release(fence, { place: row.place, jti });
  if (result.state === "released") desk.rows.put(result.row);
}

/** A claimed slot goes on counting until its end, else leaving in a loop would pass the cap. */
function leftRow(input: { row: Row | undefined; place: string; number: number; now: number }): Row {
  const { row, place, number, now } = input;
  if (row?.kind === "claimed" && row.until > now) return { ...row, kind: "left" };
  return {
    kind: "gone",
    place,
    number: row?.number ?? number,
    misses: row?.misses ?? 0,
    claimedAt: row?.claimedAt ?? 0,
    until: 0,
  };
}
