import type { DoorDesk } from "./desk.ts";
import { joinPlace } from "./join.ts";
import type { MoveOutcome, TakeMoveInput, TakeMoveOutcome, TurnInput } from "./messages.ts";
import { refuse } from "./turn.ts";

/** Who is inside shops with the admission of this device; such a place stays where it is. */
const isInside = (desk: DoorDesk, place: string, now: number): boolean => {
  const row = desk.rows.find(place);
  return row?.kind === "claimed" && row.until > now;
};

export async function offerMove(desk: DoorDesk, input: TurnInput): Promise<MoveOutcome> {
  const now = Date.now();
  const refused = refuse(desk, input, now);
  if (refused) return refused;
  const { place, gen, number, index, account } = input;
  if (isInside(desk, place, now)) return { kind: "inside" };
  const moving = {
    gen,
    at: desk.journal.find(place)?.at ?? now,
    ...(number === undefined ? {} : { number }),
    ...(index === undefined ? {} : { index }),
    ...(account === undefined ? {} : { account }),
  };
  const { code, ends } = await desk.moves.make(place, moving, now);
  return { kind: "code", code, ends };
}

/** The place is on the new device from here on; the old one hears `moved` with its next word. */
export async function takeMove(desk: DoorDesk, input: TakeMoveInput): Promise<TakeMoveOutcome> {
  const { place, code, device, at } = input;
  if (isInside(desk, place, at)) return { kind: "invalid" };
  const moving = await desk.moves.take(code, at);
  if (!moving) return { kind: "invalid" };
  const gen = Math.max(moving.gen, desk.devices.find(place)?.gen ?? 1) + 1;
  desk.devices.put(place, { gen, device });
  // Its wakers ring at the old device.
  desk.wakers.forget(place);
  const { number, index, account } = moving;
  const joined = await joinPlace(desk, {
    place,
    at: moving.at,
    receipt: {
      gen,
      ...(number === undefined ? {} : { number }),
      ...(index === undefined ? {} : { index }),
    },
  });
  return { kind: "taken", joined, at: moving.at, ...(account === undefined ? {} : { account }) };
}
