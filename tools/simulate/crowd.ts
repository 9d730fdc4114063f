// The people of a simulation: who has which number, when they came, whether they are still there, how
// they shop. Everything about a fan follows from its number and the seed, so two million need no memory
// but two arrays.
import { createHash } from "node:crypto";
import { NO_BEACON } from "../../shared/draw/key.ts";
import { drawOf } from "../../shared/draw/numbers.ts";
import { ASSUMED, type Variant } from "./variants.ts";

const LEAVE_WITHIN_S = 1_800;

export type Crowd = {
  /** How many numbers have been given by second `t`. */
  issuedAt(t: number): number;
  /** Since when its wait counts: arrival, or the opening for those who were early. */
  countsFrom(number: number): number;
  leavesAt(number: number): number;
  isBot(number: number): boolean;
  /** Seconds until its page asks the next time. */
  pollS(number: number): number;
  presentShare(t: number): number;
  shopping(number: number): { readonly seconds: number; readonly quantity: number };
};

/** Evenly spread and repeatable: a few mixed bits of number and purpose. */
function chance(number: number, purpose: number): number {
  let x = Math.imul(number ^ Math.imul(purpose, 0x9e3779b1), 0x85ebca6b) >>> 0;
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x27d4eb2f) >>> 0;
  return ((x ^ (x >>> 15)) >>> 0) / 4_294_967_296;
}

export function createCrowd(variant: Variant): Crowd {
  const { fans, earlyShare, arriveWithinS, botShare, leaverShare, hiddenShare } = variant;
  const early = Math.round(fans * earlyShare);
  const late = fans - early;
  const firstBots = variant.draw ? 0 : Math.round(fans * botShare);
  // The draw's own permutation: who of the pool has the number.
  const draw = variant.draw
    ? drawOf({
        seed: createHash("sha256").update(`simulation ${variant.name}`).digest(),
        beacon: NO_BEACON,
        event: "simulation",
        epoch: 1,
        count: early,
      })
    : undefined;
  /** People rush: as many in the first third of the time as in the other two. */
  const arrivedBy = (t: number): number => {
    const bots = Math.round(firstBots * Math.min(1, (t + 1) / 30));
    const share = Math.min(1, (t + 1) / arriveWithinS) ** 0.63;
    return bots + Math.round((late - firstBots) * share);
  };
  const arrivalS = (order: number): number => {
    if (order <= firstBots) return (order / firstBots) * 30;
    return ((order - firstBots) / (late - firstBots)) ** (1 / 0.63) * arriveWithinS;
  };
  const isBot = (number: number): boolean => {
    if (draw === undefined) return number <= firstBots;
    // Those in the pool are told apart by their index, as a draw knows nothing else of them.
    const who = number <= early ? draw.indexOf(number) : number;
    return chance(who, 5) < botShare;
  };
  const isHidden = (number: number): boolean => !isBot(number) && chance(number, 1) < hiddenShare;
  return {
    issuedAt: (t) => Math.min(fans, early + arrivedBy(t)),
    countsFrom: (number) => (number <= early ? 0 : arrivalS(number - early)),
    leavesAt(number) {
      if (isBot(number) || chance(number, 2) >= leaverShare) return Number.POSITIVE_INFINITY;
      const from = number <= early ? 0 : arrivalS(number - early);
      return from + chance(number, 3) * LEAVE_WITHIN_S;
    },
    isBot,
    pollS: (number) =>
      isHidden(number)
        ? Math.ceil(chance(number, 4) * ASSUMED.hiddenPollS)
        : Math.ceil(chance(number, 4) * ASSUMED.nearPollS),
    presentShare: (t) => 1 - leaverShare * Math.min(1, t / LEAVE_WITHIN_S) * (1 - botShare),
    shopping(number) {
      const { shopMinS, shopMaxS, quantities, buyShare } = ASSUMED;
      const seconds = Math.round(shopMinS + chance(number, 6) ** 2 * (shopMaxS - shopMinS));
      const picked = quantities[Math.floor(chance(number, 7) * quantities.length)] ?? 2;
      return { seconds, quantity: chance(number, 8) < buyShare ? picked : 0 };
    },
  };
}
