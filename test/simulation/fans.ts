// Fans of the simulated room. Each keeps what it was told, as its signed token would, comes back, closes
// the page, asks twice, or is never seen again; the core gives slots back or lengthens them.
import type { JoinOutcome, TurnOutcome } from "../../edge/door/messages.ts";
import { doorOfPlace, isPlaceId } from "../../edge/guard/place-id.ts";
import type { World } from "./world.ts";

const NEAR = 20;
const NEAR_MS = 2_000;
const FAR_MS = 15_000;
const HIDDEN_MS = 60_000;
const AGAIN_MS = 1_500;

/** `stays`: asks until it has been served. */
type Temper = "stays" | "hidden" | "vanishes" | "leaves";

export class Fan {
  readonly place: string;
  readonly temper: Temper;
  readonly #world: World;
  number: number | undefined;
  index: number | undefined;
  joined = false;
  done = false;
  #jti: string | undefined;
  #patience: number;

  constructor(world: World, place: string, temper: Temper) {
    this.#world = world;
    this.place = place;
    this.temper = temper;
    this.#patience = world.dice.between(2, 20);
  }

  get waits(): boolean {
    return this.joined && !this.done && (this.temper === "stays" || this.temper === "hidden");
  }

  start(): void {
    this.#later(0);
  }

  #later(ms: number): void {
    const { time, dice } = this.#world;
    time.after(ms * (0.8 + dice.next() * 0.4), () => {
      this.#act().catch(() => this.#later(AGAIN_MS));
    });
  }

  async #ask<T extends { readonly kind: string }>(
    verb: string,
    input: object,
  ): Promise<T | undefined> {
    const world = this.#world;
    world.steps += 1;
    if (!isPlaceId(this.place)) throw new Error("no place id");
    const room = { event: world.event, epoch: 1, door: doorOfPlace(this.place) };
    const name = `${room.event}/1/${room.door}`;
    const wasGone = world.truth.isFinal(this.place);
    const outcome = await world.letter<T>({
      kind: "Door",
      name,
      method: verb,
      args: [room, input],
    });
    world.truth.seeOutcome(this.place, { ...outcome }, wasGone);
    if (world.faults.onReply()) return undefined;
    const number: unknown = Reflect.get(outcome, "number");
    if (typeof number === "number") world.truth.hears(this.place, number);
    return outcome;
  }

  #standing(): object {
    const { place, number, index } = this;
    return {
      place,
      gen: 1,
      ...(number === undefined ? {} : { number }),
      ...(index === undefined ? {} : { index }),
      hidden: this.temper === "hidden",
      wantsCode: false,
    };
  }

  #keep(told: { number?: number; index?: number }): void {
    if (this.index !== undefined && told.index !== undefined)
      this.#world.truth.expect(
        this.index === told.index,
        () => `${this.place} had index ${this.index} and then ${told.index}`,
      );
    this.number ??= told.number;
    this.index ??= told.index;
  }

  async #act(): Promise<void> {
    const { dice } = this.#world;
    if (this.done) return;
    if (!this.joined || dice.hits(0.03)) return await this.#join();
    if (this.temper === "vanishes" || this.temper === "leaves") {
      this.#patience -= 1;
      if (this.#patience < 0) return await this.#go();
    }
    // A double click, or a second tab of the same page.
    if (dice.hits(0.03)) this.#turn().catch(() => undefined);
    const nextMs = await this.#turn();
    if (nextMs !== undefined) this.#later(nextMs);
  }

  async #join(): Promise<void> {
    const { place, number, index } = this;
    const receipt = this.joined
      ? {
          gen: 1,
          ...(number === undefined ? {} : { number }),
          ...(index === undefined ? {} : { index }),
        }
      : undefined;
    const outcome = await this.#ask<JoinOutcome>("join", {
      place,
      at: this.#world.time.now,
      ...(receipt ? { receipt } : {}),
    });
    if (outcome?.kind === "placed") {
      this.joined = true;
      this.#keep(outcome);
    }
    if (outcome?.kind === "gone" || outcome?.kind === "closed") {
      this.done = true;
      return;
    }
    this.#later(AGAIN_MS);
  }

  /** @returns when to ask again, in ms; nothing when there is no more to ask. */
  async #turn(): Promise<number | undefined> {
    const { dice, truth } = this.#world;
    const verb = dice.hits(0.05) ? "look" : "turn";
    const outcome = await this.#ask<TurnOutcome>(verb, this.#standing());
    if (!outcome) return AGAIN_MS;
    switch (outcome.kind) {
      case "waiting":
      case "ready": {
        this.#keep(outcome);
        const near = this.number !== undefined && this.number <= truth.calling + NEAR;
        if (this.temper === "hidden") return near ? HIDDEN_MS / 4 : HIDDEN_MS;
        return near ? NEAR_MS : FAR_MS;
      }
      case "admitted":
        if (verb === "look" || this.#jti !== undefined) return NEAR_MS;
        this.#jti = outcome.jti;
        this.#shop();
        return dice.hits(0.4) ? AGAIN_MS : dice.between(5_000, 40_000);
      case "gone":
        this.done = true;
        return undefined;
      default:
        return NEAR_MS;
    }
  }

  /** The core's side of a visit. */
  #shop(): void {
    const { dice, time } = this.#world;
    const lengthens = dice.hits(0.15);
    time.after(dice.between(2_000, 50_000), () => {
      this.#slot(lengthens).catch(() => undefined);
    });
    if (lengthens || dice.hits(0.15)) return;
    time.after(dice.between(20_000, 70_000), () => {
      this.#slot(false).catch(() => undefined);
    });
  }

  async #slot(lengthens: boolean): Promise<void> {
    const { time, truth } = this.#world;
    const { place } = this;
    if (!lengthens) {
      truth.seeReleased(place);
      await this.#ask("slot", { place, action: "release", jti: this.#jti });
      return;
    }
    const untilMs = time.now + 60_000;
    const answer = await this.#ask<{ kind: string; until?: number }>("slot", {
      place,
      action: "extend",
      jti: this.#jti,
      untilMs,
    });
    if (answer?.until !== undefined) truth.seeExtended(place, answer.until);
  }

  async #go(): Promise<void> {
    if (this.temper === "vanishes") {
      this.done = true;
      return;
    }
    const outcome = await this.#ask("leave", { ...this.#standing(), closedAtCore: false });
    // A page that has said goodbye may still be open in another tab.
    if (outcome && this.#world.dice.hits(0.7)) this.done = true;
    else this.#later(FAR_MS);
  }
}
