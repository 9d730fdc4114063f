// One big on-sale in simulated time, second by second: people are a model, and what decides about them
// is the gate's own (call-forward, pace, estimate) and the draw's own. Scripts are modelled here; they
// have tests of their own on a real Redis.
import { type CallState, decideAdvance, NO_CALLS, seeTick } from "../../edge/room/call-forward.ts";
import { type EstimateState, NO_ESTIMATE, observeLine } from "../../edge/room/estimate.ts";
import { decidePace, FIRST_PACE, type PaceState } from "../../edge/room/pace.ts";
import { type Crowd, createCrowd } from "./crowd.ts";
import { Tiers } from "./tiers.ts";
import type { Variant } from "./variants.ts";

const TICK_MS = 1_000;
const PRESENT_MS = 15_000;
const CLAIM_MS = 60_000;
const MISSES_MAX = 3;
const CARRY_MS = 2_000;
const POP_MAX = 200;
const TICKS_PER_BEAT_MAX = 5;
const BY_NUMBERS_MS = 120_000;
const RETURN_S = 120;

export type Second = {
  readonly t: number;
  readonly issued: number;
  readonly waiting: number;
  readonly inside: number;
  readonly admitted: number;
  readonly calling: number;
  readonly rate: number;
  readonly sold: number;
  readonly requestsPerS: number;
  readonly redisPerS: number;
};

type Due = Map<number, number[]>;
const add = (due: Due, at: number, fan: number): void => {
  const list = due.get(at);
  if (list === undefined) due.set(at, [fan]);
  else list.push(fan);
};

export class Sale {
  readonly variant: Variant;
  readonly crowd: Crowd;
  readonly tiers: Tiers;
  readonly broken: string[] = [];
  readonly seconds: Second[] = [];
  readonly waitsS: number[] = [];
  /** Numbers at the door, in order. */
  door: number[] = [];
  readonly coming: Due = new Map();
  readonly claiming: Due = new Map();
  readonly missing: Due = new Map();
  readonly ending: Due = new Map();
  readonly claims: number[] = [];
  readonly misses = new Map<number, number>();
  readonly admittedNumbers = new Set<number>();
  calls: CallState = NO_CALLS;
  pace: PaceState = FIRST_PACE;
  estimate: EstimateState = NO_ESTIMATE;
  rate: number;
  bucket = 0;
  calling = 0;
  issued = 0;
  inside = 0;
  finished = 0;
  gone = 0;
  freed = 0;
  sold = 0;
  front = 0;
  bots = 0;
  restoredAt = Number.NEGATIVE_INFINITY;
  readonly freedAt: number[] = [];

  constructor(variant: Variant) {
    this.variant = variant;
    this.crowd = createCrowd(variant);
    this.tiers = new Tiers();
    this.rate = variant.ratePerMinute;
    // Who came before the opening came over the hours before it, and is no part of its peak.
    this.issued = this.crowd.issuedAt(-1);
    this.tiers.joins(this.issued);
    this.tiers.last();
    this.tiers.workerPeak = 0;
    this.tiers.redisPeak = 0;
  }

  get waiting(): number {
    return this.issued - this.inside - this.finished - this.gone;
  }

  isPresent(number: number, t: number): boolean {
    return this.crowd.leavesAt(number) > t;
  }

  step(t: number): void {
    const arrived = this.crowd.issuedAt(t);
    const joins = arrived - this.issued;
    this.issued = arrived;
    const away =
      this.variant.outage !== undefined &&
      t >= this.variant.outage.from &&
      t < this.variant.outage.to;
    if (this.variant.outage?.to === t) this.restoredAt = t;
    this.tiers.joins(joins);
    this.tiers.second({
      t,
      away,
      waiting: this.waiting,
      near: Math.min(this.waiting, this.rate) * this.crowd.presentShare(t),
      presentShare: this.crowd.presentShare(t),
      ratePerMinute: this.rate,
      inside: this.inside,
    });
    // After a loss each page shows its receipt once, at a time of its own within two minutes.
    if (t >= this.restoredAt && t < this.restoredAt + RETURN_S)
      this.tiers.returns((this.waiting * this.crowd.presentShare(t)) / RETURN_S);
    if (!away) this.tick(t);
    this.judge(t);
    this.seconds.push({
      t,
      issued: this.issued,
      waiting: this.waiting,
      inside: this.inside,
      admitted: this.admittedNumbers.size,
      calling: this.calling,
      rate: this.rate,
      sold: this.sold,
      ...this.tiers.last(),
    });
  }

  tick(t: number): void {
    const now = t * TICK_MS;
    this.followPace(now);
    for (const end of this.take(this.ending, t)) this.endSlot(end);
    const arrivals = this.take(this.coming, t).filter((number) => this.isPresent(number, t));
    for (const number of arrivals) this.enterDoor(number);
    for (const number of this.take(this.claiming, t)) this.claim(number, t);
    for (const number of this.take(this.missing, t)) this.miss(number, t);
    this.admit(t);
    this.callForward(t, arrivals);
    this.estimate = observeLine(this.estimate, {
      now: now + 1,
      front: this.front,
      admitted: this.admittedNumbers.size,
      last: this.issued,
      ratePerMinute: this.rate,
      setPerMinute: this.variant.ratePerMinute,
      moving: true,
      queued: this.door.length > 0 || this.calling < this.issued,
    });
  }

  take(due: Due, t: number): number[] {
    const list: number[] = [];
    for (const at of due.keys()) if (at <= t) list.push(...(due.get(at) ?? []));
    for (const at of [...due.keys()]) if (at <= t) due.delete(at);
    return list;
  }

  followPace(now: number): void {
    const { ratePerMinute, pace, capacityPerMinute, seats } = this.variant;
    // A core that is asked for more than it can do answers late; a model of its own report.
    const busy = this.rate / capacityPerMinute;
    const verdict = decidePace(this.pace, {
      pace,
      ratePerMinute,
      now,
      report: {
        inFlight: Math.round(busy * 50),
        p95Ms: busy < 1 ? 80 + 220 * busy ** 4 : 300 + 4_000 * (busy - 1),
        limitPerMinute: ratePerMinute,
        available: Math.max(0, seats - this.sold),
        held: this.inside,
        paying: 0,
        sold: this.sold,
        at: now + 1,
        heardAt: now + 1,
      },
    });
    this.pace = verdict.state;
    this.rate = verdict.ratePerMinute;
  }

  enterDoor(number: number): void {
    let low = 0;
    let high = this.door.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.door[middle] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    this.door.splice(low, 0, number);
  }

  admit(t: number): void {
    const cap = (this.rate * CARRY_MS) / 60_000;
    this.bucket = Math.min(Math.max(cap, 1), this.bucket + this.rate / 60);
    const free = this.variant.activeMax - this.inside;
    const most = Math.min(Math.floor(this.bucket), free, POP_MAX * TICKS_PER_BEAT_MAX);
    let popped = 0;
    let before = 0;
    while (popped < most && this.door.length > 0) {
      const number = this.door.shift() ?? 0;
      if (!this.isPresent(number, t - PRESENT_MS / TICK_MS)) continue;
      if (number < before) this.broken.push(`at ${t} s ${number} went in after ${before}`);
      before = number;
      popped += 1;
      this.inside += 1;
      this.front = Math.max(this.front, number);
      const claimsAt = t + this.crowd.pollS(number);
      if (this.isPresent(number, claimsAt)) add(this.claiming, claimsAt, number);
      else add(this.missing, t + (PRESENT_MS + CLAIM_MS) / TICK_MS, number);
    }
    this.bucket -= popped;
  }

  /** The exact window: whoever finds it full asks again a moment later. */
  claim(number: number, t: number): void {
    while ((this.claims[0] ?? t) <= t - 60) this.claims.shift();
    if (this.claims.length >= Math.floor(this.rate)) {
      add(this.claiming, t + 1, number);
      return;
    }
    if (this.admittedNumbers.has(number)) this.broken.push(`${number} was admitted twice`);
    this.admittedNumbers.add(number);
    this.claims.push(t);
    this.tiers.claim();
    if (this.crowd.isBot(number)) this.bots += 1;
    this.waitsS.push(t - this.crowd.countsFrom(number));
    const shop = this.crowd.shopping(number);
    add(this.ending, t + shop.seconds, number);
    this.tiers.shop(shop.quantity > 0);
  }

  endSlot(number: number): void {
    const { quantity } = this.crowd.shopping(number);
    const left = this.variant.seats - this.sold;
    this.sold += Math.min(quantity, left);
    this.inside -= 1;
    this.finished += 1;
    this.freed += 1;
  }

  miss(number: number, t: number): void {
    const misses = (this.misses.get(number) ?? 0) + 1;
    this.misses.set(number, misses);
    this.inside -= 1;
    this.freed += 1;
    this.bucket += 1;
    if (misses >= MISSES_MAX || !this.isPresent(number, t)) this.gone += 1;
    else add(this.coming, t + 1, number);
  }

  callForward(t: number, arrivals: readonly number[]): void {
    const now = t * TICK_MS;
    this.freedAt.push(this.freed);
    const facts = {
      ratePerMinute: this.rate,
      door: this.door.length,
      freeSlots: this.variant.activeMax - this.inside,
      freedPerMinute: this.freed - (this.freedAt.at(-60) ?? 0),
    };
    const advance = decideAdvance(this.calls, facts, now);
    const calledFrom = this.calling;
    const calledTo = Math.min(this.issued, calledFrom + advance);
    for (let number = calledFrom + 1; number <= calledTo; number += 1) {
      const comesAt = t + this.crowd.pollS(number);
      if (this.isPresent(number, comesAt)) add(this.coming, comesAt, number);
    }
    this.calling = calledTo;
    this.calls = seeTick(this.calls, {
      now,
      calledFrom,
      calledTo,
      called: calledTo - calledFrom,
      arrivals: arrivals.map((number) => ({ number, at: now })),
      byNumbers: t - this.restoredAt < BY_NUMBERS_MS / TICK_MS,
    });
  }

  judge(t: number): void {
    const say = (what: string): void => {
      if (this.broken.length < 20) this.broken.push(`at ${t} s ${what}`);
    };
    if (this.inside > this.variant.activeMax) say(`${this.inside} were inside`);
    if (this.waiting < 0) say("more have gone on than were issued");
    if (this.sold > this.variant.seats) say(`${this.sold} seats were sold`);
    if (this.claims.length > this.variant.ratePerMinute) say(`${this.claims.length} in a minute`);
    if (this.calling > this.issued) say("numbers were called that nobody has");
  }
}
