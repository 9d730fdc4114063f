// What must hold after whatever happens to a line, kept beside it from the answers alone.

import { expect } from "vitest";
import type { Counts, JoinResult, Ticked, TurnResult } from "../../../edge/line/types.ts";
import type { Fan } from "./rig.ts";

export const WINDOW_MS = 60_000;

/** The rate that may be in force at each time: the highest of the last minute counts. */
export class RateHistory {
  readonly #spans: { rate: number; from: number; until: number }[] = [];

  /** A rate is in force from the first tick that carries it until the tick that carries another. */
  set(rate: number, at: number): void {
    const last = this.#spans.at(-1);
    if (last?.rate === rate) return;
    if (last) last.until = at;
    this.#spans.push({ rate, from: at, until: Number.POSITIVE_INFINITY });
  }

  highestIn(from: number, to: number): number {
    const rates = this.#spans
      .filter((span) => span.until > from && span.from <= to)
      .map((span) => span.rate);
    return Math.floor(Math.max(1, ...rates));
  }
}

export class Watch {
  readonly claims = new Map<string, number>();
  readonly rates = new RateHistory();
  readonly #numbers = new Map<number, string>();
  readonly #owner = new Map<string, number>();
  readonly #gone = new Set<string>();
  #calling = 0;

  sawNumber(fan: Fan, number: number): void {
    const before = this.#owner.get(fan.place);
    expect(
      before === undefined || before === number,
      `${fan.place} had ${before}, now ${number}`,
    ).toBe(true);
    const owner = this.#numbers.get(number);
    expect(
      owner === undefined || owner === fan.place,
      `${number} given to ${owner} and ${fan.place}`,
    ).toBe(true);
    this.#numbers.set(number, fan.place);
    this.#owner.set(fan.place, number);
  }

  sawGone(fan: Fan): void {
    this.#gone.add(fan.place);
  }

  /** First arrivals in their order; whoever came later must not have the lower number. */
  #arrived: string[] = [];

  join(fan: Fan, result: JoinResult, lost: boolean): void {
    if (lost) this.#arrived = [];
    const isNew = (result.state === "numbered" || result.state === "late") && result.isNew;
    if (isNew && !lost) this.#arrived.push(fan.place);
    if (result.state === "numbered") this.sawNumber(fan, result.number);
    if (result.state === "gone") this.sawGone(fan);
    if (this.#gone.has(fan.place)) expect(["gone", "away"]).toContain(result.state);
  }

  turn(fan: Fan, result: TurnResult, mayClaim: boolean): void {
    if (this.#gone.has(fan.place)) expect(["gone", "away"]).toContain(result.state);
    if (result.state === "gone") this.sawGone(fan);
    if (result.state === "waiting" || result.state === "ready") this.sawNumber(fan, result.number);
    if (result.state !== "admitted") return;
    const before = this.claims.get(fan.place);
    if (before !== undefined) {
      expect(result.claimedAt, `${fan.place} admitted twice`).toBe(before);
      return;
    }
    expect(mayClaim, `${fan.place} claimed although nobody may`).toBe(true);
    this.claims.set(fan.place, result.claimedAt);
    const at = result.claimedAt;
    const inWindow = [...this.claims.values()].filter((t) => t > at - WINDOW_MS && t <= at).length;
    expect(inWindow).toBeLessThanOrEqual(this.rates.highestIn(at - WINDOW_MS, at));
  }

  tick(result: Ticked): void {
    expect(result.calledTo).toBeGreaterThanOrEqual(this.#calling);
    this.#calling = result.calledTo;
    const popped = result.rows
      .filter((row) => row.kind === "called")
      .slice(-result.popped || undefined);
    if (result.popped > 1) {
      const numbers = popped.map((row) => row.number);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
    this.counts(result.counts);
  }

  /** Call at the end, when every number is known. */
  order(): void {
    const numbers = this.#arrived.flatMap((place) => this.#owner.get(place) ?? []);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  }

  counts(counts: Counts): void {
    const sum = counts.waiting + counts.inside + counts.finished + counts.gone + counts.unreturned;
    expect(counts.issued).toBe(sum);
    expect(counts.unreturned).toBeGreaterThanOrEqual(0);
  }
}
