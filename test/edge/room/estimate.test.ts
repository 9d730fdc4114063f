import { describe, expect, it } from "vitest";
import {
  type EstimateState,
  NO_ESTIMATE,
  observeLine,
  rangeOf,
  WIDTH_MAX,
  waitRange,
} from "../../../edge/room/estimate.ts";

const START = 1_800_000_000_000;

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

interface Sale {
  readonly name: string;
  readonly rateAt: (second: number) => number;
  /** Of the numbers around this one, the share that is still there. */
  readonly thereAt: (number: number) => number;
  readonly usedAt: (second: number) => number;
  readonly pausedAt?: (second: number) => boolean;
}

interface Told {
  readonly number: number;
  readonly at: number;
  readonly ranged: readonly [number, number];
  readonly plain: number;
}

const SECONDS = 3_600;
const LAST = 60_000;

/** Runs a sale second by second; a fan looks at the page every 15 s from somewhere in the line. */
function simulate(sale: Sale, seed: number) {
  const random = randomOf(seed);
  let state: EstimateState = NO_ESTIMATE;
  let front = 0;
  let admitted = 0;
  let owed = 0;
  const told: Told[] = [];
  const reached: number[] = [];
  for (let s = 0; s < SECONDS; s += 1) {
    const moving = !(sale.pausedAt?.(s) ?? false);
    const rate = sale.rateAt(s);
    if (moving) owed += (rate / 60) * sale.usedAt(s) * (0.7 + random() * 0.6);
    for (; owed >= 1 && front < LAST; front += 1) {
      reached[front + 1] = s;
      if (random() < sale.thereAt(front)) {
        owed -= 1;
        admitted += 1;
      }
    }
    const now = START + s * 1_000;
    const seen = { now, front, admitted, last: LAST, ratePerMinute: rate };
    state = observeLine(state, { ...seen, moving, queued: true });
    if (s % 15 !== 0 || s < 60) continue;
    const range = waitRange(state, { ratePerMinute: rate, moving });
    if (!range) continue;
    const ahead = Math.ceil((60 + random() * 1_500) / (range.perThousandMs / 1_000_000));
    const scale = ahead / 1_000;
    told.push({
      number: front + ahead,
      at: s,
      ranged: [(range.lowPerThousandMs * scale) / 1_000, (range.highPerThousandMs * scale) / 1_000],
      plain: (ahead / rate) * 60,
    });
  }
  const due = told.flatMap((one) => {
    const at = reached[one.number];
    return at === undefined ? [] : [{ ...one, wait: at - one.at }];
  });
  const held =
    due.filter(({ ranged, wait }) => ranged[0] <= wait && wait <= ranged[1]).length / due.length;
  const widths = due
    .map(({ ranged, wait }) => (ranged[1] - ranged[0]) / Math.max(1, wait))
    .sort((a, b) => a - b);
  const off = due
    .map(({ plain, wait }) => Math.abs(plain - wait) / Math.max(1, wait))
    .sort((a, b) => a - b);
  const middle = (list: readonly number[]) => list[Math.floor(list.length / 2)] ?? Number.NaN;
  return { asked: due.length, held, width: middle(widths), plainOff: middle(off), state };
}

const SALES: readonly Sale[] = [
  { name: "steady, nobody gone", rateAt: () => 300, thereAt: () => 1, usedAt: () => 1 },
  { name: "half gone", rateAt: () => 300, thereAt: () => 0.5, usedAt: () => 1 },
  {
    name: "more and more gone towards the back",
    rateAt: () => 300,
    thereAt: (number) => Math.max(0.35, 0.8 - number / 80_000),
    usedAt: () => 1,
  },
  {
    name: "rate raised and lowered by hand",
    rateAt: (s) => (s < 1_200 ? 300 : s < 2_400 ? 420 : 330),
    thereAt: () => 0.6,
    usedAt: () => 1,
  },
  {
    name: "measured pace, up and down",
    rateAt: (s) => Math.round(300 + 8 * (s % 30)),
    thereAt: () => 0.6,
    usedAt: () => 0.95,
  },
  {
    name: "slots often full",
    rateAt: () => 400,
    thereAt: () => 0.7,
    usedAt: (s) => 0.7 + 0.2 * Math.sin(s / 120),
  },
];

describe("the estimate of the wait", () => {
  it("holds for at least 80 % of its ranges, whose median width is at most half of the wait", () => {
    const lines = SALES.map((sale) => {
      const { asked, held, width, plainOff, state } = simulate(sale, 11);
      const told = state.settled === 0 ? 0 : state.kept / state.settled;
      return { sale: sale.name, asked, held, width, plainOff, told };
    });
    for (const line of lines) {
      const percent = (share: number) => `${Math.round(share * 100)} %`;
      console.log(
        `${line.sale}: ${percent(line.held)} of ${line.asked} ranges held, median width ${percent(line.width)} of the wait;`,
        `the room says ${percent(line.told)} kept; plain ahead ÷ rate is off by ${percent(line.plainOff)}`,
      );
    }
    for (const line of lines) expect(line.width, line.sale).toBeLessThanOrEqual(0.5);
    const all = lines.reduce((sum, line) => sum + line.asked, 0);
    expect(
      lines.reduce((sum, line) => sum + line.held * line.asked, 0) / all,
    ).toBeGreaterThanOrEqual(0.8);
  });

  it("says nothing while the line stands still or nothing has been seen", () => {
    expect(waitRange(NO_ESTIMATE, { ratePerMinute: 60, moving: true })).toBeNull();
    const { state } = simulate(
      { name: "", rateAt: () => 300, thereAt: () => 1, usedAt: () => 1 },
      3,
    );
    expect(waitRange(state, { ratePerMinute: 300, moving: false })).toBeNull();
  });

  it("follows a change of the rate at once", () => {
    const { state } = simulate(
      { name: "", rateAt: () => 300, thereAt: () => 1, usedAt: () => 1 },
      3,
    );
    const slow = waitRange(state, { ratePerMinute: 150, moving: true })?.perThousandMs ?? 0;
    const fast = waitRange(state, { ratePerMinute: 300, moving: true })?.perThousandMs ?? 0;
    expect(slow / fast).toBeCloseTo(2, 2);
  });

  it("learns nothing from the time in which nobody was there to be admitted", () => {
    const { state } = simulate(
      { name: "", rateAt: () => 300, thereAt: () => 1, usedAt: () => 1 },
      3,
    );
    const perThousand = (of: EstimateState) =>
      waitRange(of, { ratePerMinute: 300, moving: true })?.perThousandMs;
    const { at, front, admitted } = state;
    const idle = { front, admitted, last: front, ratePerMinute: 300, moving: true, queued: false };
    let later = state;
    for (let s = 1; s <= 600; s += 1) later = observeLine(later, { ...idle, now: at + s * 1_000 });
    expect(perThousand(later)).toBe(perThousand(state));
  });

  it("counts a pause as a broken promise but does not learn a slower line from it", () => {
    const pausedAt = (s: number) => s >= 1_000 && s < 1_900;
    const sale = { name: "", rateAt: () => 300, thereAt: () => 1, usedAt: () => 1 };
    const smooth = simulate(sale, 5);
    const broken = simulate({ ...sale, pausedAt }, 5);
    const perThousand = (state: EstimateState) =>
      waitRange(state, { ratePerMinute: 300, moving: true })?.perThousandMs ?? 0;
    expect(perThousand(broken.state) / perThousand(smooth.state)).toBeCloseTo(1, 1);
    expect(broken.state.kept / broken.state.settled).toBeLessThan(
      smooth.state.kept / smooth.state.settled,
    );
  });

  it("takes the narrowest range that would have held, and never one wider than its bound", () => {
    const ratios = Array.from({ length: 100 }, (_, i) => 0.95 + i / 1_000);
    const narrow = rangeOf(ratios);
    expect(narrow.low).toBeGreaterThanOrEqual(0.9);
    expect(narrow.high).toBeLessThanOrEqual(1.1);
    const wild = rangeOf(Array.from({ length: 100 }, (_, i) => 0.5 + i / 40));
    expect(wild.high - wild.low).toBeLessThanOrEqual(WIDTH_MAX + 1e-9);
  });
});
