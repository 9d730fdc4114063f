// Events and rooms for tests, made through the organizer API like anybody's.
import { randomBytes } from "node:crypto";
import type { EventPut } from "../../shared/contract/events.ts";
import { type Organizer, openOrganizerSession } from "../../tools/demo/organizer.ts";
import type { Stack } from "../../tools/stack.ts";

/** An id that no other test uses. */
export function makeEventId(): string {
  return `e-${randomBytes(5).toString("hex")}`;
}

/** Section A with rows 1 to 4 of 10 seats, and a standing zone of 50. */
export function describeSmallEvent(changes: Partial<EventPut> = {}): EventPut {
  const now = Date.now();
  return {
    name: "A small event",
    venue: "A hall",
    startsAt: new Date(now + 30 * 86_400_000).toISOString(),
    saleOpensAt: new Date(now - 60_000).toISOString(),
    timeZone: "Europe/Istanbul",
    currency: "TRY",
    holdMs: 600_000,
    perOrderMax: 8,
    perAccountMax: 8,
    zones: [
      { id: "stalls", name: "Stalls", price: 10_000, kind: "seated" },
      { id: "floor", name: "Standing", price: 5_000, kind: "standing", capacity: 50 },
    ],
    sections: [
      {
        id: "A",
        name: "Section A",
        rows: ["1", "2", "3", "4"].map((id) => ({ id, zone: "stalls", seats: 10 })),
      },
    ],
    ...changes,
  };
}

/** An event on sale and an open room that admits at once. */
export async function createOpenEvent(
  stack: Stack,
  options: {
    readonly event?: string;
    readonly description?: Partial<EventPut>;
    readonly room?: object;
  } = {},
): Promise<{ event: string; organizer: Organizer }> {
  const event = options.event ?? makeEventId();
  const organizer = await openOrganizerSession(stack, stack.organizerKey);
  await organizer.putEvent(event, describeSmallEvent(options.description));
  await organizer.putRoom(event, {
    opensAt: new Date(Date.now() - 1_000).toISOString(),
    ratePerMinute: 60_000,
    activeMax: 10_000,
    early: "fifo",
    ...options.room,
  });
  return { event, organizer };
}
