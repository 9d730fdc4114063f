/**
 * How many new places one address asks for. A stadium, a school or a carrier is one address for
 * thousands, so nobody is refused for it: beyond the bound the next places cost a proof of work, whose
 * price grows with the excess. Whoever has a place is never asked.
 *
 * It is counted in each isolate's own memory: a farm's requests meet few of them, and what is missed
 * is met by the room's own challenge and by passes.
 */
export const JOINS_PER_ADDRESS_MAX = 600;
export const JOINS_WINDOW_MS = 60_000;
const ADDRESSES_MAX = 20_000;

type Window = { since: number; joins: number };

export class AddressJoins {
  readonly #windows = new Map<string, Window>();

  /**
   * Counts one join of somebody new.
   *
   * @returns its load: 1 and below is fine; 2 is twice the bound.
   */
  count(address: string, now: number): number {
    const known = this.#windows.get(address);
    const window =
      known !== undefined && now - known.since < JOINS_WINDOW_MS ? known : { since: now, joins: 0 };
    window.joins += 1;
    // The one looked at last stays longest; the others go when there are too many.
    this.#windows.delete(address);
    this.#windows.set(address, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > ADDRESSES_MAX && oldest !== undefined) this.#windows.delete(oldest);
    return window.joins / JOINS_PER_ADDRESS_MAX;
  }
}
