import type { RoomSettings } from "../../shared/contract/rooms.ts";
import type { BeaconChain } from "../../shared/draw/beacon.ts";
import type { Ceilings, Counts, Phase } from "../line/types.ts";
import type { MissingDoor } from "./missing-doors.ts";
import { type CapacityFacts, FIRST_PACE, type HoldReason, type PaceState } from "./pace.ts";

/**
 * All that a Room must not lose beside its rows, as one record in its SQLite. It is written before
 * anything of it is shown; what is not in here may be lost with the process.
 */
export type RoomState = {
  event: string;
  createdAt: number;
  epoch: number;
  /** Number of Doors of this epoch; the setting counts from the next epoch on. */
  doors: number;
  /** Taken anew by each life of the object; a lower one is refused by every script. */
  gen: number;
  /** Raised before every refill of Redis. */
  restore: number;
  /** The Redis that was filled under `restore` is the one we still know. */
  serving: boolean;
  /** Refills completed in this epoch; the first one starts an empty line. */
  refills: number;
  settings: RoomSettings;
  /** What the organizer sees and sends back in `If-Match`. */
  version: number;
  /** What the scripts compare; grows also with the measured rate and the phase. */
  lineVersion: number;
  phase: Phase;
  reason: string;
  endInside: boolean;
  /** The opening as it took place, ms; the setting's until then. */
  openedAt: number | undefined;
  closedAt: number | undefined;
  /** Grows with everything that `status` shows. */
  v: number;
  beat: number;
  ack: number;
  /** The room's clock as the last tick had it, and when that was by ours. */
  clock: number;
  clockAt: number;
  /** When Redis was last filled, ms. */
  refilledAt: number;
  /** Since when the Redis we knew is lost; a restore waits for its Doors from then on. */
  lostAt: number | undefined;
  /** Doors that the last restore went on without. */
  missing: MissingDoor[];
  reserved: Ceilings;
  counts: Counts | undefined;
  gaps: [number, number][];
  /** Numbers up to this one were told to somebody, or are accounted for as a gap. */
  toldNumber: number;
  /** Arrivals that did not fit under the ceiling. */
  wantsRoom: number;
  /** Highest number that was called to a slot. */
  front: number;
  everOpen: boolean;
  /** Arrivals go to `late` until every Door's journal is in. */
  journalsPending: boolean;
  restoredMark: { beat: number; spreadMs: number } | undefined;
  /** Rates in force in the last 60 s, for the window after a refill. */
  rates: { at: number; rate: number }[];
  pace: PaceRecord;
  draw: DrawRecord;
};

export type PaceRecord = {
  /** The rate in force: the set one, or what `pace` made of it. */
  rate: number;
  hold: HoldReason | null;
  nothingLeft: boolean;
  report: CapacityFacts | null;
  memory: Omit<PaceState, "ratePerMinute"> & { ratePerMinute: number | null };
};

export type DrawRecord = {
  /** 32 secret bytes, hex. Leaves the Room only when the draw has been made. */
  seed: string;
  commitment: string;
  committedAt: number;
  shutAt: number | undefined;
  shutInLine: boolean;
  /** N, durable together with the root. */
  count: number | undefined;
  root: string | undefined;
  countedAt: number | undefined;
  openInLine: boolean;
  revealedAt: number | undefined;
  /** With its chain: another one in the deployment's settings is for draws announced after it. */
  round: { round: number; dueAt: number; announcedAt: number; chain: BeaconChain } | undefined;
  signature: string | undefined;
  without: { at: number; by: string; reason: string } | undefined;
  tries: number;
  lastTryAt: number | undefined;
  /** Leaves in the tree, and its frontier (hex). */
  leaves: number;
  peaks: string[];
};

export const NO_COUNTS: Counts = {
  issued: 0,
  waiting: 0,
  door: 0,
  inside: 0,
  finished: 0,
  gone: 0,
  unreturned: 0,
  late: 0,
  pool: 0,
  nextIndex: 0,
  last: 0,
  filled: 0,
  calling: 0,
  admitted: 0,
  unclaimed: 0,
  freed: 0,
  minute: 0,
  roundTheLine: 0,
};

/** The beginning of an epoch: nobody in line, nothing promised, a seed of its own. */
export function freshEpoch(
  room: { event: string; createdAt: number; epoch: number; settings: RoomSettings },
  more: { now: number; seed: string; commitment: string },
): Omit<RoomState, "gen" | "restore" | "version" | "lineVersion" | "v"> {
  return {
    event: room.event,
    createdAt: room.createdAt,
    epoch: room.epoch,
    doors: room.settings.doors,
    serving: false,
    refills: 0,
    settings: room.settings,
    phase: "upcoming",
    reason: "",
    endInside: false,
    openedAt: undefined,
    closedAt: undefined,
    beat: 0,
    ack: 0,
    clock: more.now,
    reserved: { number: 0, index: 0 },
    counts: undefined,
    gaps: [],
    toldNumber: 0,
    wantsRoom: 0,
    front: 0,
    everOpen: false,
    clockAt: more.now,
    refilledAt: 0,
    lostAt: undefined,
    missing: [],
    journalsPending: false,
    restoredMark: undefined,
    rates: [],
    pace: {
      rate: room.settings.ratePerMinute,
      hold: null,
      nothingLeft: false,
      report: null,
      memory: FIRST_PACE,
    },
    draw: {
      seed: more.seed,
      commitment: more.commitment,
      committedAt: more.now,
      shutAt: undefined,
      shutInLine: false,
      count: undefined,
      root: undefined,
      countedAt: undefined,
      openInLine: false,
      revealedAt: undefined,
      round: undefined,
      signature: undefined,
      without: undefined,
      tries: 0,
      lastTryAt: undefined,
      leaves: 0,
      peaks: [],
    },
  };
}
