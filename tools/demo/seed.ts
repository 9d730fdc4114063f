// The two events that `npm run dev` shows, made through the organizer API like anybody's.
import type { EventPut } from "../../shared/contract/events.ts";
import { type Organizer, openOrganizerSession } from "./organizer.ts";

const ROWS_PER_SECTION = 20;
const SEATS_PER_ROW = 25;
const STANDING_CAPACITY = 500;
const RATE_PER_MINUTE = 600;
export const ACTIVE_MAX = 500;
const DRAW_OPENS_IN_MS = 120_000;
const DAY_MS = 86_400_000;

export interface SeedOptions {
  readonly edge: string;
  readonly core: string;
  readonly organizerKey: string;
  /** Numbered seats of `demo`; whole sections of 500, at least one. */
  readonly seats: number;
  /** Both events open after this time; by default `demo` at once, `demo-draw` in two minutes. */
  readonly opensInMs?: number;
  readonly now: number;
}

export interface SeededEvent {
  readonly event: string;
  readonly opensAt: string;
}

export async function seedDemo(options: SeedOptions): Promise<SeededEvent[]> {
  const organizer = await openOrganizerSession(options, options.organizerKey);
  const opensAt = new Date(options.now + (options.opensInMs ?? 0)).toISOString();
  const drawAt = new Date(options.now + (options.opensInMs ?? DRAW_OPENS_IN_MS)).toISOString();
  await seedEvent(organizer, "demo", describeEvent("Sıra at the Harbour", opensAt, options), {
    opensAt,
    early: "fifo",
  });
  const small = { ...options, seats: 1_000 };
  await seedEvent(organizer, "demo-draw", describeEvent("Midnight Draw", drawAt, small), {
    opensAt: drawAt,
    early: "draw",
  });
  return [
    { event: "demo", opensAt },
    { event: "demo-draw", opensAt: drawAt },
  ];
}

async function seedEvent(
  organizer: Organizer,
  event: string,
  description: EventPut,
  opening: { readonly opensAt: string; readonly early: "draw" | "fifo" },
): Promise<void> {
  await organizer.putEvent(event, description);
  const phase = await organizer.findPhase(event);
  // The crowd of the last start is gone without a word, so each start has a line of its own.
  const reason = "The development system was started again.";
  if (phase !== undefined && phase !== "closed") await organizer.act(event, "close", reason);
  await organizer.putRoom(event, {
    ...opening,
    ratePerMinute: RATE_PER_MINUTE,
    activeMax: ACTIVE_MAX,
    branding: { name: description.name, venue: description.venue },
  });
  if (phase !== undefined) await organizer.act(event, "reset", reason);
}

function describeEvent(name: string, opensAt: string, options: SeedOptions): EventPut {
  const perSection = ROWS_PER_SECTION * SEATS_PER_ROW;
  const sections = Math.max(1, Math.ceil(options.seats / perSection));
  return {
    name,
    venue: "Harbour Hall, Istanbul",
    startsAt: eveningAfter(options.now + 30 * DAY_MS),
    saleOpensAt: opensAt,
    timeZone: "Europe/Istanbul",
    currency: "TRY",
    holdMs: 600_000,
    perOrderMax: 8,
    perAccountMax: 8,
    zones: [
      { id: "stalls", name: "Stalls", price: 120_000, kind: "seated" },
      { id: "balcony", name: "Balcony", price: 75_000, kind: "seated" },
      {
        id: "floor",
        name: "Standing",
        price: 50_000,
        kind: "standing",
        capacity: STANDING_CAPACITY,
      },
    ],
    sections: Array.from({ length: sections }, (_, index) => ({
      id: sectionName(index),
      name: `Section ${sectionName(index)}`,
      rows: Array.from({ length: ROWS_PER_SECTION }, (_row, row) => ({
        id: String(row + 1),
        zone: index % 2 === 0 ? "stalls" : "balcony",
        seats: SEATS_PER_ROW,
      })),
    })),
  };
}

/** A, B, … Z, AA, AB, … */
function sectionName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : sectionName(Math.floor(index / 26) - 1) + letter;
}

function eveningAfter(time: number): string {
  const day = new Date(time);
  day.setUTCHours(17, 0, 0, 0);
  return day.toISOString();
}
