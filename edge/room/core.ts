import { randomnessOf } from "../../shared/draw/beacon.ts";
import { toHex } from "../../shared/draw/hex.ts";
import { NO_BEACON } from "../../shared/draw/key.ts";
import { assert } from "../../shared/result.ts";
import type { Door } from "../door/door.ts";
import type { DoorRoom } from "../door/messages.ts";
import type { Env, GateConfig } from "../env.ts";
import { doorByName, doorName } from "../guard/rooms.ts";
import type { Line, LineSettings } from "../line/types.ts";
import type { RoomEntry } from "./directory.ts";
import type { Ledger } from "./ledger.ts";
import type { RoomFacts } from "./messages.ts";
import { isMissing, slotsOfMissing } from "./missing-doors.ts";
import type { RoomState } from "./state.ts";

/**
 * What the verbs of a Room work with. The record is changed in memory and saved in the same
 * synchronous step; whatever is awaited in between may have changed it, so nobody keeps a copy.
 */
export class RoomCore {
  readonly ledger: Ledger;
  readonly env: Env;
  /** Redis could not be used by the last tick. Not durable: a new life finds out by itself. */
  stale = false;
  staleSince: number | undefined;
  /** Measured, for the ceilings. Not durable. */
  arrivalsPerSecond = 0;
  /** Doors that answered, but not with their rows, in the last attempt of a restore. Not durable. */
  readonly mute = new Set<number>();
  /** Since when a Door withholds its journal. Not durable. */
  journalHeldSince: number | undefined;
  #arrivals: { total: number; at: number } | undefined;
  /** ms since 1970; Workers tell it again while it lasts. Not durable. */
  verifierAwayUntil = 0;
  /** What the last failure was, for logs and `/readyz`. */
  trouble: string | undefined;
  #state: RoomState | undefined;
  #line: { line: Line; event: string } | undefined;
  #config: GateConfig | undefined;
  readonly #openLine: (config: GateConfig, event: string) => Line;

  constructor(input: {
    ledger: Ledger;
    env: Env;
    openLine: (config: GateConfig, event: string) => Line;
  }) {
    this.ledger = input.ledger;
    this.env = input.env;
    this.#openLine = input.openLine;
    this.#state = input.ledger.readRecord();
  }

  get exists(): boolean {
    return this.#state !== undefined;
  }

  get state(): RoomState {
    assert(this.#state, "the room has been made");
    return this.#state;
  }

  get config(): GateConfig {
    assert(this.#config, "the configuration has been read");
    return this.#config;
  }

  get line(): Line {
    this.#line ??= { line: this.#openLine(this.config, this.state.event), event: this.state.event };
    return this.#line.line;
  }

  configure(config: GateConfig): void {
    this.#config = config;
  }

  replace(state: RoomState): void {
    this.#state = state;
    this.save();
  }

  /** Durable before anything of it is shown: the output gate holds back what is sent after it. */
  save(): void {
    this.ledger.writeRecord(this.state);
  }

  /** Something that `status` shows has changed. */
  bump(): void {
    this.state.v += 1;
    this.save();
  }

  /** Something that the scripts must hear of has changed. */
  bumpLine(): void {
    this.state.lineVersion += 1;
    this.bump();
  }

  doors(): { stub: DurableObjectStub<Door>; room: DoorRoom }[] {
    const { event, epoch, doors } = this.state;
    return Array.from({ length: doors }, (_, door) => ({
      stub: doorByName(this.env, this.config, doorName(event, epoch, door)),
      room: { event, epoch, door },
    }));
  }

  /** All but those that the last restore had to go on without. */
  presentDoors(): { stub: DurableObjectStub<Door>; room: DoorRoom }[] {
    return this.doors().filter(({ room }) => !isMissing(this.state, room.door));
  }

  seeArrivals(total: number, now: number): void {
    const last = this.#arrivals;
    if (last && now > last.at)
      this.arrivalsPerSecond = Math.max(
        0,
        Math.ceil(((total - last.total) * 1_000) / (now - last.at)),
      );
    this.#arrivals = { total, at: now };
  }

  isServing(): boolean {
    return this.state.serving;
  }

  /** A missing Door is told everything but the fence: it serves when its rows have been heard. */
  facts(door?: number): RoomFacts {
    const { event, epoch, restore, phase, draw } = this.state;
    return {
      event,
      epoch,
      phase,
      ...(this.isServing() && !(door !== undefined && isMissing(this.state, door))
        ? { serving: { epoch, restore } }
        : {}),
      ...(draw.revealedAt !== undefined && draw.count !== undefined
        ? { draw: { seed: draw.seed, beacon: beaconHex(this.state), count: draw.count } }
        : {}),
    };
  }
}

/** The beacon's 32 bytes as they went into the key. */
export const beaconHex = (state: RoomState): string =>
  state.draw.signature === undefined ? toHex(NO_BEACON) : toHex(randomnessOf(state.draw.signature));

/** The opening that holds: by hand, or as set. ms. */
export const opensAtOf = (state: RoomState): number =>
  state.openedAt ?? Date.parse(state.settings.opensAt);

/** The rate in force. */
export const rateOf = (state: RoomState): number => state.pace.rate;

export function lineSettings(state: RoomState): LineSettings {
  const { settings, draw } = state;
  const free = settings.activeMax - slotsOfMissing(state.missing, Date.now());
  return {
    version: state.lineVersion,
    phase: state.phase,
    hold: state.pace.hold !== null || free < 1,
    endInside: state.endInside,
    opensAt: opensAtOf(state),
    ratePerMinute: rateOf(state),
    activeMax: Math.max(1, free),
    sessionMs: settings.sessionMs,
    claimMs: settings.claimMs,
    early: settings.early,
    poolSize: settings.early === "draw" ? (draw.count ?? null) : null,
  };
}

export function directoryEntry(state: RoomState): RoomEntry {
  const { settings } = state;
  return {
    event: state.event,
    epoch: state.epoch,
    doors: state.doors,
    binding: settings.binding,
    entry: settings.entry,
    challenge: settings.challenge,
    continueTo: settings.continueTo ?? `/shop/${state.event}`,
    sessionMs: settings.sessionMs,
    ...(settings.closesAt === undefined ? {} : { closesAt: Date.parse(settings.closesAt) }),
    ...(settings.mode === "proxy" && settings.proxy ? { proxy: settings.proxy } : {}),
  };
}
