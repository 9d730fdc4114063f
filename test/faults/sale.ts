// The event of a fault run, and what its organizer does meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import { openOrganizerSession } from "../../tools/demo/organizer.ts";
import type { LineRules } from "../invariants/line.ts";
import type { Load } from "./load.ts";
import { organizerToken } from "./shopping.ts";

export const EVENT = "storm";
/** Low enough to bind: more fans come than may go in. */
export const RULES: LineRules = { ratePerMinute: 150, activeMax: 60 };
const PAUSE_AFTER_MS = 9_000;
const PAUSE_MS = 7_000;

export type SaleSize = { readonly rows: number; readonly standing: number };

export async function createSale(
  load: Load,
  { rows, standing }: SaleSize = { rows: 20, standing: 400 },
): Promise<void> {
  const { town } = load;
  const organizer = await openOrganizerSession(town, town.keys.organizerKey);
  const now = Date.now();
  await organizer.putEvent(EVENT, {
    name: "A storm",
    venue: "A hall by the sea",
    startsAt: new Date(now + 30 * 86_400_000).toISOString(),
    saleOpensAt: new Date(now - 60_000).toISOString(),
    timeZone: "Europe/Istanbul",
    currency: "TRY",
    holdMs: 60_000,
    perOrderMax: 4,
    perAccountMax: 4,
    zones: [
      { id: "stalls", name: "Stalls", price: 12_345, kind: "seated" },
      { id: "floor", name: "Standing", price: 7_000, kind: "standing", capacity: standing },
    ],
    sections: [
      {
        id: "A",
        name: "Section A",
        rows: Array.from({ length: rows }, (_, n) => ({
          id: String(n + 1),
          zone: "stalls",
          seats: 20,
        })),
      },
    ],
  });
  await organizer.putRoom(EVENT, {
    opensAt: new Date(now - 1_000).toISOString(),
    ...RULES,
    early: "fifo",
    sessionMs: 60_000,
    claimMs: 10_000,
  });
}

/** A pause in the middle of it all, however long it takes to be heard; then on again. */
export async function pauseAndResume(load: Load): Promise<void> {
  await load.pause(PAUSE_AFTER_MS);
  if (load.stopped) return;
  if (!(await act(load, "pause", "paused"))) return;
  await load.pause(PAUSE_MS);
  load.history.note({ who: "organizer", op: "act", outcome: 200, state: "resuming" });
  await act(load, "resume", "open");
}

/** Said again until it is heard; not by `stopped`, or a room might stay paused. */
async function act(load: Load, action: string, state: string): Promise<boolean> {
  for (let tries = 0; tries < 60; tries += 1) {
    const token = await organizerToken(load);
    if (token !== undefined) {
      const answer = await load.call({
        tier: "gate",
        method: "POST",
        path: `/api/rooms/${EVENT}/actions`,
        body: { action, reason: "A look at the doors." },
        headers: { authorization: `Bearer ${token}` },
      });
      load.note("organizer", "act", answer, { state });
      if (answer.outcome === 200) return true;
      // An answer that was lost: the room is in that phase already.
      if (answer.outcome === 409 && tries > 0) return true;
    }
    await sleep(300);
  }
  return false;
}

/** What everybody who waits can see, once a second. */
export async function watchStatus(load: Load): Promise<void> {
  while (!load.stopped) {
    const answer = await load.call({
      tier: "gate",
      method: "GET",
      path: `/api/queue/${EVENT}/status`,
    });
    const inside = answer.body["inside"];
    load.note("watch", "status", answer, typeof inside === "number" ? { inside } : {});
    await load.pause(1_000);
  }
}
