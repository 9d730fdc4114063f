// Who is asked how often, and what it costs. Prices are list prices of the providers as published in
// 2026; check them before you rely on them. Self-hosting on bare workerd costs machines instead.
export const PRICES = [
  { what: "static files (CDN)", unit: "a million requests", usd: 0 },
  { what: "Worker requests", unit: "a million", usd: 0.3 },
  { what: "Worker CPU, 1 ms a request", unit: "a million ms", usd: 0.02 },
  { what: "Durable Object requests", unit: "a million", usd: 0.15 },
  { what: "Durable Object time, 5 objects of 128 MB", unit: "a million GB-s", usd: 12.5 },
  { what: "Redis, 8 GB, managed", unit: "an hour", usd: 0.8 },
  { what: "core and PostgreSQL, 16 cores in all", unit: "an hour", usd: 1.6 },
] as const;

const FILES_A_PAGE = 5;
/** Isolates that each ask the Room at most once a second. */
const ISOLATES = 300;
const OBJECTS = 5;
const OBJECT_GB = 0.128;
const CORE_CALLS_A_SHOPPER = 12;
const FAR_MS_MIN = 5_000;
const FAR_MS_MAX = 60_000;
const NEAR_S = 2;
const HIDDEN_SHARE = 0.3;
const HIDDEN_S = 60;

export type SecondFacts = {
  readonly t: number;
  readonly away: boolean;
  readonly waiting: number;
  readonly near: number;
  readonly presentShare: number;
  readonly ratePerMinute: number;
  readonly inside: number;
};

export class Tiers {
  cdn = 0;
  worker = 0;
  objects = 0;
  redis = 0;
  core = 0;
  seconds = 0;
  workerPeak = 0;
  redisPeak = 0;
  #before = { worker: 0, redis: 0 };

  joins(count: number): void {
    this.cdn += count * FILES_A_PAGE;
    this.worker += count;
    this.objects += count;
    this.redis += count;
  }

  second(facts: SecondFacts): void {
    const { waiting, near, presentShare, ratePerMinute, away } = facts;
    this.seconds += 1;
    const present = Math.max(0, waiting * presentShare - near);
    const minutes = waiting / Math.max(1, ratePerMinute);
    // The snapshot's own rule: the longer the line, the rarer a page that is far from the front asks.
    const farS = Math.min(FAR_MS_MAX, Math.max(FAR_MS_MIN, minutes * 6_000)) / 1_000;
    const status = present * ((1 - HIDDEN_SHARE) / farS + HIDDEN_SHARE / HIDDEN_S);
    const turns = near * ((1 - HIDDEN_SHARE) / NEAR_S + HIDDEN_SHARE / HIDDEN_S);
    this.worker += status + turns;
    this.objects += turns + ISOLATES;
    this.redis += away ? 0 : turns + 2;
  }

  /** After a loss everybody present shows a receipt once. */
  returns(count: number): void {
    this.worker += count;
    this.objects += count;
    this.redis += count;
  }

  claim(): void {
    this.objects += 1;
  }

  shop(buys: boolean): void {
    this.core += CORE_CALLS_A_SHOPPER;
    if (buys) this.redis += 1;
  }

  /** What this second alone was; call once a second. */
  last(): { requestsPerS: number; redisPerS: number } {
    const requestsPerS = this.worker - this.#before.worker;
    const redisPerS = this.redis - this.#before.redis;
    this.#before = { worker: this.worker, redis: this.redis };
    this.workerPeak = Math.max(this.workerPeak, requestsPerS);
    this.redisPeak = Math.max(this.redisPeak, redisPerS);
    return { requestsPerS, redisPerS };
  }

  usd(): number {
    const hours = this.seconds / 3_600;
    const million = 1_000_000;
    const [, worker, cpu, objects, time, redis, core] = PRICES.map(({ usd }) => usd);
    return (
      (this.worker / million) * ((worker ?? 0) + (cpu ?? 0)) +
      (this.objects / million) * (objects ?? 0) +
      ((this.seconds * OBJECTS * OBJECT_GB) / million) * (time ?? 0) +
      hours * ((redis ?? 0) + (core ?? 0))
    );
  }
}
