import type { JoinResult, Receipt } from "../line/types.ts";
import type { DoorDesk } from "./desk.ts";
import { judgeDevice } from "./devices.ts";
import type { JoinInput, JoinOutcome } from "./messages.ts";

const BUSY_RETRY_MS = 1_500;

/** A place is entered into the line, or found there; with Redis away it is journalled. */
export async function joinPlace(desk: DoorDesk, input: JoinInput): Promise<JoinOutcome> {
  const { place } = input;
  const row = desk.rows.find(place);
  if (row && isFinal(row.kind)) return { kind: "gone" };
  const device = admitDevice(desk, input, row?.kind === "claimed" && row.until > input.at);
  if (device === "stays") return { kind: "moved" };
  const { gen, moved } = device;
  if (input.receipt?.number !== undefined) desk.seeReceipt(place);
  const fence = await desk.readyFence();
  if (!fence) return journal(desk, input, gen);
  const result = await desk.line.join(fence, { place, receipt: await receiptOf(desk, input) });
  const outcome = await outcomeOf(desk, { result, input, gen });
  // Showing the pass on another device is something new, though the place is known.
  return outcome.kind === "placed" && moved ? { ...outcome, known: true } : outcome;
}

const isFinal = (kind: string): boolean =>
  kind === "left" || kind === "finished" || kind === "gone";

function admitDevice(
  desk: DoorDesk,
  input: JoinInput,
  claimed: boolean,
): "stays" | { gen: number; moved: boolean } {
  const shown = input.receipt?.gen;
  const held = desk.devices.find(input.place);
  if (input.device === undefined) {
    // Taken along by a link: what an older token, or the old key alone, shows counts no longer.
    if (held && held.gen > (shown ?? 0)) return "stays";
    return { gen: shown ?? 1, moved: false };
  }
  const verdict = judgeDevice({ held, device: input.device, shown, claimed });
  if (verdict.verdict === "stays") return "stays";
  if (verdict.verdict !== "same")
    desk.devices.put(input.place, { gen: verdict.gen, device: input.device });
  return { gen: verdict.gen, moved: verdict.verdict === "moves" };
}

async function receiptOf(desk: DoorDesk, input: JoinInput): Promise<Receipt> {
  const { receipt } = input;
  const number =
    receipt?.number ?? (await desk.drawnNumberOf(receipt?.index)) ?? desk.told.find(input.place);
  if (number !== undefined) return { kind: "number", number };
  if (receipt?.index !== undefined) return { kind: "index", index: receipt.index };
  return { kind: "none" };
}

async function outcomeOf(
  desk: DoorDesk,
  join: { result: JoinResult; input: JoinInput; gen: number },
): Promise<JoinOutcome> {
  const { result, input, gen } = join;
  switch (result.state) {
    case "numbered":
      desk.highest = Math.max(desk.highest, result.number);
      return {
        kind: "placed",
        known: !result.isNew || input.receipt !== undefined,
        gen,
        number: result.number,
        joinedAt: desk.journal.find(input.place)?.at ?? result.at,
      };
    case "pooled": {
      const number = await desk.drawnNumberOf(result.index);
      return {
        kind: "placed",
        known: !result.isNew || input.receipt !== undefined,
        gen,
        index: result.index,
        ...(number === undefined ? {} : { number }),
        joinedAt: desk.journal.find(input.place)?.at ?? result.at,
      };
    }
    case "late":
      return {
        kind: "placed",
        known: !result.isNew || input.receipt !== undefined,
        gen,
        joinedAt: result.at,
      };
    case "busy":
      return { kind: "busy", retryAfterMs: BUSY_RETRY_MS };
    case "gone":
      return { kind: "gone" };
    case "closed":
      return { kind: "closed" };
    case "away":
      desk.onAway(result);
      return journal(desk, input, gen);
  }
}

/** The place is kept; its number follows when Redis is back. */
function journal(desk: DoorDesk, input: JoinInput, gen: number): JoinOutcome {
  const { place, receipt, at } = input;
  if (desk.phase === "closed") return { kind: "closed" };
  if (receipt?.number !== undefined || receipt?.index !== undefined) {
    // A receipt is the record; there is nothing to write down.
    const number = receipt.number ?? desk.numberOf(receipt.index);
    return {
      kind: "placed",
      known: true,
      gen,
      joinedAt: at,
      ...(number === undefined ? {} : { number }),
      ...(receipt.index === undefined ? {} : { index: receipt.index }),
    };
  }
  const added = desk.journal.add({ place, at });
  if (added === "full") return { kind: "busy", retryAfterMs: BUSY_RETRY_MS };
  return {
    kind: "placed",
    known: added === "known",
    gen,
    joinedAt: desk.journal.find(place)?.at ?? at,
  };
}
