// A small room around the real scripts: what a Room and its Doors write down, and a clock the test moves.
// It keeps the promises that the scripts rely on (ceilings ahead of use, rows before answers), so that a
// broken invariant is the line's own.

import { openLine } from "../../../edge/line/line.ts";
import { readScriptTexts } from "../../../edge/line/scripts-node.ts";
import type {
  Fence,
  JoinResult,
  LineSettings,
  RefillBegin,
  Row,
  ScriptTexts,
  Ticked,
  TickInput,
  TickResult,
  TurnResult,
} from "../../../edge/line/types.ts";
import { nextEvent } from "./server.ts";

export const START_MS = 1_800_000_000_000;
const BLOCK = 500;
/** The raise takes effect with the next tick, so it must come early. */
const AHEAD = 4 * BLOCK;
const SCRIPTS = readScriptTexts();

export interface RigOptions {
  readonly url: string;
  readonly settings?: Partial<LineSettings>;
  /** Other texts than the product's: for a test of what its tests would notice. */
  readonly scripts?: ScriptTexts;
}

export interface Fan {
  readonly place: string;
  number: number | null;
  index: number | null;
}

export function newFan(place: string): Fan {
  return { place, number: null, index: null };
}

/** Everything a Room and its Doors hold durably, and the calls they make. */
export class Rig {
  now = START_MS;
  readonly event: string;
  readonly room;
  readonly door;
  fence: Fence = { epoch: 1, restore: 0 };
  gen = 1;
  beat = 0;
  ack = 0;
  clock = 0;
  clockAt = 0;
  calling = 0;
  reserved = { number: 0, index: 0 };
  settings: LineSettings;
  readonly roomRows = new Map<string, Row>();
  readonly doorRows = new Map<string, Row>();
  readonly rates: { at: number; rate: number }[] = [];
  joinsLate = false;

  constructor(options: RigOptions) {
    this.event = nextEvent(options.url);
    const line = {
      url: options.url,
      event: this.event,
      scripts: options.scripts ?? SCRIPTS,
      now: () => this.now,
    };
    this.room = openLine({ ...line });
    this.door = openLine({ ...line });
    this.settings = {
      version: 1,
      phase: "open",
      hold: false,
      endInside: false,
      opensAt: null,
      ratePerMinute: 60,
      activeMax: 20,
      sessionMs: 60_000,
      claimMs: 60_000,
      early: "fifo",
      poolSize: null,
      ...options.settings,
    };
  }

  close(): void {
    this.room.close();
    this.door.close();
  }

  change(settings: Partial<LineSettings>): void {
    this.settings = { ...this.settings, ...settings, version: this.settings.version + 1 };
  }

  reserve(): void {
    this.reserved = { number: this.reserved.number + BLOCK, index: this.reserved.index + BLOCK };
  }

  beginOf(): RefillBegin {
    const since = this.now - 60_000;
    const rates = this.rates.filter((entry) => entry.at > since).map((entry) => entry.rate);
    return {
      gen: this.gen,
      fresh: this.fence.restore === 1,
      clock: this.clock || this.now,
      elapsedMs: this.clock ? this.now - this.clockAt : 0,
      beat: this.beat,
      ack: this.ack,
      settings: this.settings,
      reserved: this.reserved,
      calling: this.calling,
      admitted: 0,
      unclaimed: 0,
      freed: 0,
      roundTheLine: 0,
      highestRate: Math.max(this.settings.ratePerMinute, ...rates),
    };
  }

  /** A whole restore; also the first start. */
  async restore(): Promise<void> {
    this.fence = { epoch: this.fence.epoch, restore: this.fence.restore + 1 };
    if (this.fence.restore === 1) this.reserve();
    const ok = (result: { state: string }) => {
      if (result.state !== "ok") throw new Error(`refill answered ${JSON.stringify(result)}`);
    };
    ok(await this.room.refillBegin(this.fence, this.beginOf()));
    const rows = [...this.roomRows.values(), ...this.doorRows.values()];
    for (let i = 0; i < rows.length; i += 500) {
      ok(await this.room.refillRows(this.fence, { gen: this.gen, rows: rows.slice(i, i + 500) }));
    }
    ok(await this.room.refillEnd(this.fence, { gen: this.gen }));
    this.reserve();
  }

  tickInput(more: Partial<TickInput> = {}): TickInput {
    return {
      gen: this.gen,
      beat: this.beat,
      ack: this.ack,
      settings: this.settings,
      reserved: this.reserved,
      advance: 0,
      joinsLate: this.joinsLate,
      numberLate: !this.joinsLate,
      ...more,
    };
  }

  /** A tick whose answer the Room stores. */
  async tick(more: Partial<TickInput> = {}): Promise<Ticked> {
    const result = await this.tryTick(more);
    if (result.state !== "ticked") throw new Error(`tick answered ${JSON.stringify(result)}`);
    return result;
  }

  async tryTick(more: Partial<TickInput> = {}): Promise<TickResult> {
    const result = await this.room.tick(this.fence, this.tickInput(more));
    if (result.state === "ticked") this.store(result);
    return result;
  }

  store(result: Ticked): void {
    this.beat = Math.max(this.beat, result.beat);
    this.ack = Math.max(this.ack, result.ack);
    this.clock = Math.max(this.clock, result.clock);
    this.clockAt = this.now;
    this.calling = Math.max(this.calling, result.counts.calling);
    for (const row of result.rows) this.roomRows.set(row.place, row);
    this.rates.push({ at: this.now, rate: this.settings.ratePerMinute });
    while (
      result.counts.last + AHEAD > this.reserved.number ||
      result.counts.nextIndex + AHEAD > this.reserved.index
    ) {
      this.reserve();
    }
  }

  async join(fan: Fan): Promise<JoinResult> {
    const receipt =
      fan.number !== null
        ? ({ kind: "number", number: fan.number } as const)
        : fan.index !== null
          ? ({ kind: "index", index: fan.index } as const)
          : ({ kind: "none" } as const);
    const result = await this.door.join(this.fence, { place: fan.place, receipt });
    if (result.state === "numbered") fan.number ??= result.number;
    if (result.state === "pooled") fan.index ??= result.index;
    return result;
  }

  /** A turn by way of the fan's Door, which writes its row before it answers. */
  async turn(fan: Fan, hidden = false): Promise<TurnResult> {
    const row = this.doorRows.get(fan.place);
    const input = { place: fan.place, number: fan.number, hidden };
    const result = await this.door.turn(this.fence, row ? { ...input, row } : input);
    if ("row" in result) this.doorRows.set(fan.place, result.row);
    if (result.state === "waiting" || result.state === "ready") fan.number ??= result.number;
    return result;
  }

  jti(fan: Fan): string {
    return `${fan.place}.${this.doorRows.get(fan.place)?.misses ?? 0}`;
  }

  async release(fan: Fan) {
    const result = await this.door.release(this.fence, { place: fan.place, jti: this.jti(fan) });
    if (result.state === "released") this.doorRows.set(fan.place, result.row);
    return result;
  }

  async extend(fan: Fan, untilMs: number) {
    const result = await this.door.extend(this.fence, {
      place: fan.place,
      jti: this.jti(fan),
      untilMs,
    });
    if (result.state === "extended") this.doorRows.set(fan.place, result.row);
    return result;
  }

  async leave(fan: Fan) {
    const row = this.doorRows.get(fan.place);
    const input = { place: fan.place, number: fan.number };
    const result = await this.door.leave(this.fence, row ? { ...input, row } : input);
    if (result.state === "left") this.doorRows.set(fan.place, result.row);
    return result;
  }

  async pass(ms: number, more: Partial<TickInput> = {}): Promise<Ticked> {
    this.now += ms;
    return await this.tick(more);
  }
}

export async function openRig(options: RigOptions): Promise<Rig> {
  const rig = new Rig(options);
  await rig.restore();
  return rig;
}
