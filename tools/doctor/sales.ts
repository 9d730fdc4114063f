// Each event's sale window against its room: people must not be let in before they can buy.
import type { RoomSettings } from "../../shared/contract/rooms.ts";
import { bad, type Finding, good, look } from "./finding.ts";

const TIMEOUT_MS = 5_000;

export type SaleFacts = {
  readonly event: string;
  readonly saleOpensAt: string;
  readonly saleClosesAt?: string;
  readonly startsAt: string;
  readonly holdMs: number;
  readonly room: (RoomSettings & { readonly phase: string }) | undefined;
};

/** Pure. Events that are over are of no interest. */
export function judgeSale(facts: SaleFacts, now: number): Finding[] {
  const part = `sale ${facts.event}`;
  if (Date.parse(facts.startsAt) < now) return [];
  const { room } = facts;
  if (room === undefined)
    return [look(part, "it has no room at the gate", "make one: npx sira create, or the console")];
  const found: Finding[] = [];
  const opens = Date.parse(room.opensAt);
  if (opens < Date.parse(facts.saleOpensAt) && room.phase !== "closed")
    found.push(
      bad(
        part,
        `the room opens at ${room.opensAt}, the sale only at ${facts.saleOpensAt}`,
        "open the room at or after the sale: who is let in earlier finds it closed",
      ),
    );
  if (facts.saleClosesAt !== undefined && Date.parse(facts.saleClosesAt) < opens)
    found.push(bad(part, "the sale closes before its room opens", "change one of the two"));
  if (room.sessionMs < facts.holdMs)
    found.push(
      look(
        part,
        "an admission ends before a hold does",
        "a hold outlives it and can be paid, but nothing new can be chosen: raise sessionMs",
      ),
    );
  if (room.binding === "none" && room.mode === "queue")
    found.push(look(part, "binding is none: a copied cookie is a second browser", "binding dpop"));
  if (room.early === "draw" && room.beacon.kind === "none")
    found.push(
      look(part, "the draw has no beacon: it is steerable by the organizer", "beacon drand"),
    );
  if (found.every(({ level }) => level !== "bad"))
    found.unshift(
      good(part, `${room.phase}; opens ${room.opensAt}, ${room.ratePerMinute} a minute`),
    );
  return found;
}

export async function readSales(
  origins: { readonly gate: string; readonly core: string },
  token: string,
): Promise<SaleFacts[]> {
  const get = async (url: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, text: await response.text() };
  };
  const listed = await get(`${origins.core}/v1/events`);
  const { events }: { events: (Omit<SaleFacts, "event" | "room"> & { id: string })[] } = JSON.parse(
    listed.text,
  );
  return await Promise.all(
    events.map(async ({ id, ...event }) => {
      const room = await get(`${origins.gate}/api/rooms/${id}`);
      return { ...event, event: id, room: room.status === 200 ? JSON.parse(room.text) : undefined };
    }),
  );
}
