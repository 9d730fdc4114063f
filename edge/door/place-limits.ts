/** A bucket for each place: patient clients never feel it, a loop does. */
export const PLACE_BURST = 40;
export const PLACE_PER_SECOND = 5;
const BUCKETS_MAX = 100_000;

export class PlaceLimits {
  readonly #buckets = new Map<string, { level: number; at: number }>();

  /** @returns 0 when the call may pass, else how long to wait, ms. */
  take(place: string, now: number): number {
    const bucket = this.#buckets.get(place) ?? { level: PLACE_BURST, at: now };
    const level = Math.min(
      PLACE_BURST,
      bucket.level + ((now - bucket.at) / 1_000) * PLACE_PER_SECOND,
    );
    this.#buckets.delete(place);
    const passes = level >= 1;
    this.#buckets.set(place, { level: passes ? level - 1 : level, at: now });
    if (this.#buckets.size > BUCKETS_MAX) {
      const [oldest] = this.#buckets.keys();
      if (oldest !== undefined) this.#buckets.delete(oldest);
    }
    return passes ? 0 : Math.ceil(((1 - level) / PLACE_PER_SECOND) * 1_000);
  }
}
