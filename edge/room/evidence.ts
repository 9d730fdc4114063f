import { BEACON_SCHEME } from "../../shared/draw/beacon.ts";
import { pathFromChunks } from "../../shared/draw/chunks.ts";
import { buildEvidence, type Evidence, type EvidenceRecord } from "../../shared/draw/evidence.ts";
import { toHex } from "../../shared/draw/hex.ts";
import { opensAtOf, type RoomCore } from "./core.ts";
import { readLeaves, readPlaceHash, readRoots } from "./leaves.ts";
import type { RoomState } from "./state.ts";

/** The draw's evidence as everybody may have it, built from the Room's record. */
const EPOCHS_MAX = 1_000;

type AbandonedEpoch = Evidence["abandoned"][number];
type EvidenceBeacon = Evidence["beacon"];
type DrawAct = Pick<AbandonedEpoch, "at" | "by" | "reason">;

const iso = (ms: number): string => new Date(ms).toISOString();

export function evidenceOf(room: RoomCore, proof: EvidenceRecord["proof"]): Evidence {
  const { state } = room;
  const { draw } = state;
  return buildEvidence({
    event: state.event,
    epoch: state.epoch,
    opensAt: iso(opensAtOf(state)),
    commitment: draw.commitment,
    committedAt: iso(draw.committedAt),
    ...poolOf(state),
    beacon: beaconOf(state),
    seed: draw.seed,
    ...(draw.revealedAt === undefined ? {} : { drawnAt: iso(draw.revealedAt) }),
    abandoned: room.ledger.epochs<AbandonedEpoch>(EPOCHS_MAX),
    ...(proof ? { proof } : {}),
  });
}

function poolOf(state: RoomState): Pick<EvidenceRecord, "pool"> {
  const { count, root, shutAt, countedAt } = state.draw;
  if (count === undefined || root === undefined) return {};
  return {
    pool: { count, root, closedAt: iso(shutAt ?? 0), publishedAt: iso(countedAt ?? 0) },
  };
}

function beaconOf(state: RoomState): EvidenceBeacon {
  const { round, signature, without } = state.draw;
  if (state.settings.beacon.kind === "none" || !round) return { kind: "none" };
  return {
    kind: "drand",
    scheme: BEACON_SCHEME,
    chain: round.chain,
    round: round.round,
    announcedAt: iso(round.announcedAt),
    ...(signature === undefined ? {} : { signature }),
    ...(without ? { without: actOf(without) } : {}),
  };
}

const actOf = (act: { at: number; by: string; reason: string }): DrawAct => ({
  at: iso(act.at),
  by: act.by.slice(0, 200) || "unknown",
  reason: act.reason || "no reason given",
});

export function proofOf(room: RoomCore, index: number): EvidenceRecord["proof"] {
  const { count } = room.state.draw;
  if (count === undefined || index >= count) return undefined;
  const { sql } = room.ledger;
  const path = pathFromChunks(count, index, {
    leaves: (chunk) => readLeaves(sql, chunk),
    roots: () => readRoots(sql),
  });
  return { index, placeHash: toHex(readPlaceHash(sql, index)), path: path.map(toHex) };
}

/** A reset ends this epoch: what it was, who ended it and why stays in every later evidence. */
export function keepEvidence(
  room: RoomCore,
  act: { at: number; by: string; reason: string },
): void {
  const { state } = room;
  const { draw } = state;
  const drawn = draw.revealedAt !== undefined;
  const entry: AbandonedEpoch = {
    epoch: state.epoch,
    commitment: draw.commitment,
    // Shut, though not counted yet: from then on the result hangs on nothing that joins could change.
    state: drawn ? "drawn" : draw.shutAt === undefined ? "committed" : "pool_closed",
    ...poolOf(state),
    ...(drawn ? { seed: draw.seed } : {}),
    ...actOf(act),
  };
  room.ledger.keepEpoch(state.epoch, entry);
}
