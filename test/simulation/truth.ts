// What must hold whatever happens, judged from what the scripts did and what fans were told. The first
// thing that does not hold ends the run.
import type { Server } from "./servers.ts";
import type { Life } from "./time.ts";
import type { World } from "./world.ts";

const WINDOW_MS = 60_000;

type Tick = {
  readonly state: string;
  readonly clock: number;
  readonly version: number;
  readonly phase: string;
  readonly popped: number;
  readonly rows: readonly { readonly kind: string; readonly number: number }[];
  readonly counts: Readonly<Record<string, number>>;
};
type TickInput = {
  readonly settings: {
    readonly version: number;
    readonly phase: string;
    readonly hold: boolean;
    readonly ratePerMinute: number;
    readonly activeMax: number;
  };
};
type Told = { jti: string; claimedAt: number; until: number };

export class Truth {
  readonly broken: string[] = [];
  checks = 0;
  admissions = 0;
  activeMax = 0;
  calling = 0;
  readonly #world: World;
  readonly #numbers = new Map<string, number>();
  readonly #owners = new Map<number, string>();
  readonly #final = new Set<string>();
  readonly #inside = new Map<string, Told>();
  readonly #admitted = new Map<string, Told>();
  readonly #seen = new Set<string>();
  readonly #claims: number[] = [];
  readonly #rates: { rate: number; from: number; until: number }[] = [];
  readonly #admitting = new Map<Server, boolean>();
  #given = 0;

  constructor(world: World) {
    this.#world = world;
  }

  expect(holds: boolean, what: () => string): void {
    this.checks += 1;
    if (!holds && this.broken.length < 20) this.broken.push(what());
  }

  isFinal(place: string): boolean {
    return this.#final.has(place);
  }

  /** A call that was carried out. */
  seeLine(done: {
    readonly life: Life;
    readonly server: Server;
    readonly method: string;
    readonly args: readonly unknown[];
    readonly result: unknown;
  }): void {
    const { server, method, result } = done;
    const state = (result as { state: string }).state;
    if (method === "tick" && state === "ticked")
      this.#seeTick(server, done.args[1] as TickInput, result as Tick);
    if (method === "refillEnd" && state === "ok") this.#admitting.set(server, false);
    if (method === "turn" && state === "admitted") {
      const { row } = result as { row: { place: string; claimedAt: number } };
      const key = `${row.place} ${row.claimedAt}`;
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
      this.expect(
        this.#admitting.get(server) === true,
        () => `${row.place} claimed a slot while nobody may`,
      );
    }
    if (method === "join" && state === "numbered" && server === this.#world.servers.master) {
      const { number, isNew } = result as { number: number; isNew: boolean };
      if (!isNew) return;
      this.expect(number > this.#given, () => `number ${number} was given after ${this.#given}`);
      this.#given = Math.max(this.#given, number);
    }
  }

  #seeTick(server: Server, input: TickInput, tick: Tick): void {
    const { counts, rows, popped } = tick;
    const { settings } = input;
    if (tick.version === settings.version) {
      this.#admitting.set(server, tick.phase === "open" && !settings.hold);
      this.#rate(settings.ratePerMinute, tick.clock);
      this.activeMax = Math.max(this.activeMax, settings.activeMax);
    }
    if (server === this.#world.servers.master) this.calling = counts["calling"] ?? 0;
    const of = (name: string) => counts[name] ?? Number.NaN;
    const sum = of("waiting") + of("inside") + of("finished") + of("gone") + of("unreturned");
    this.expect(of("issued") === sum, () => `issued ${of("issued")}, accounted for ${sum}`);
    this.expect(
      of("unreturned") >= 0,
      () =>
        `unreturned is ${of("unreturned")}: ${JSON.stringify(counts)} ${JSON.stringify(settings)}`,
    );
    const called = rows.filter(({ kind }) => kind === "called").slice(-popped || rows.length);
    if (popped > 1) {
      const inOrder = called.every(({ number }, i) => number > (called[i - 1]?.number ?? 0));
      this.expect(inOrder, () => `popped out of order: ${called.map((row) => row.number)}`);
    }
    if (popped > 0) {
      this.expect(this.#admitting.get(server) === true, () => "a tick popped while nobody may");
      this.expect(
        of("inside") <= this.activeMax,
        () => `${of("inside")} slots of ${this.activeMax} after a tick`,
      );
    }
  }

  #rate(rate: number, at: number): void {
    const last = this.#rates.at(-1);
    if (last?.rate === rate) return;
    if (last) last.until = Math.max(last.from, at);
    this.#rates.push({ rate, from: at, until: Number.POSITIVE_INFINITY });
  }

  #rateIn(from: number, to: number): number {
    const rates = this.#rates.filter((span) => span.until > from && span.from <= to);
    return Math.max(1, ...rates.map(({ rate }) => rate));
  }

  /** What a fan has heard: a number that was lost on its way may be another after a loss. */
  hears(place: string, number: number): void {
    const before = this.#numbers.get(place);
    this.expect(
      before === undefined || before === number,
      () => `${place} had number ${before} and then ${number}`,
    );
    this.#numbers.set(place, number);
  }

  /** Nobody else may ever have it, heard or not. */
  #seeNumber(place: string, number: number): void {
    const owner = this.#owners.get(number);
    this.expect(
      owner === undefined || owner === place,
      () => `number ${number} was given to ${owner} and to ${place}`,
    );
    this.#owners.set(number, place);
  }

  /**
   * What a Door answered, whether or not the fan heard it.
   *
   * @param wasGone whether the place had gone before the call began: what another tab of it asked
   *   while it was leaving may have been answered before.
   */
  seeOutcome(
    place: string,
    outcome: { readonly kind: string } & Record<string, unknown>,
    wasGone: boolean,
  ): void {
    const { kind } = outcome;
    if (wasGone) {
      const mayBe = ["gone", "left", "away", "too_many", "closed", "unchanged", "done"];
      this.expect(mayBe.includes(kind), () => `${place} is gone, and is told ${kind}`);
    }
    if (kind === "gone" || kind === "left") this.#final.add(place);
    if (typeof outcome["number"] === "number") this.#seeNumber(place, outcome["number"]);
    const { jti, claimedAt, until } = outcome;
    // A mere look names no slot.
    if (kind !== "admitted" || typeof jti !== "string") return;
    this.#seeAdmitted(place, { jti, claimedAt: Number(claimedAt), until: Number(until) });
  }

  #seeAdmitted(place: string, told: Told): void {
    const before = this.#admitted.get(place);
    if (before) {
      this.expect(
        before.jti === told.jti && before.claimedAt === told.claimedAt,
        () => `${place} was admitted twice: ${before.jti} at ${before.claimedAt}, ${told.jti}`,
      );
      this.expect(told.until >= before.until, () => `the slot of ${place} was shortened`);
      before.until = told.until;
      const inside = this.#inside.get(place);
      if (inside) inside.until = told.until;
      return;
    }
    this.admissions += 1;
    const { jti, claimedAt, until } = told;
    this.#admitted.set(place, { jti, claimedAt, until });
    this.#inside.set(place, { jti, claimedAt, until });
    this.#claim(claimedAt);
    for (const [other, slot] of this.#inside)
      if (slot.until <= claimedAt) this.#inside.delete(other);
    this.expect(
      this.#inside.size <= this.activeMax,
      () => `${this.#inside.size} are inside, ${this.activeMax} may be`,
    );
  }

  #claim(at: number): void {
    const claims = this.#claims;
    let i = claims.length;
    while (i > 0 && (claims[i - 1] ?? 0) > at) i -= 1;
    claims.splice(i, 0, at);
    // Every window that ends with a claim and holds the new one.
    for (let end = i; end < claims.length && (claims[end] ?? 0) < at + WINDOW_MS; end += 1) {
      const to = claims[end] ?? 0;
      let from = end;
      while (from > 0 && (claims[from - 1] ?? 0) > to - WINDOW_MS) from -= 1;
      const count = end - from + 1;
      const most = this.#rateIn(to - WINDOW_MS, to);
      this.expect(count <= most, () => `${count} claims within a minute, ${most} may be`);
    }
  }

  seeExtended(place: string, until: number): void {
    for (const slots of [this.#inside, this.#admitted]) {
      const slot = slots.get(place);
      if (slot) slot.until = Math.max(slot.until, until);
    }
  }

  /** Its slot may have been given back. */
  seeReleased(place: string): void {
    this.#inside.delete(place);
  }
}
