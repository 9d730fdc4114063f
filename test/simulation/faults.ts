// What goes wrong in the simulated world, and how often each thing did. Bad weather comes and goes.
import type { Dice } from "./dice.ts";

export type CallFault = "unreachable" | "late" | "lost" | "twice" | undefined;
export type LetterFault = "lost request" | "lost answer" | undefined;

export const FAULT_NAMES = [
  "call unreachable",
  "call carried out far too late",
  "answer of a call lost",
  "call carried out twice",
  "request between objects lost",
  "answer between objects lost",
  "Room crashed",
  "Door crashed",
  "alarm late",
  "alarm twice",
  "failover that loses writes",
  "Redis wiped",
  "Redis restarted with old data",
  "Redis unreachable",
  "Door stays on the old master",
  "Room stays on the old master",
  "reply to the fan lost",
  "pause and resume",
  "rate changed",
] as const;
export type FaultName = (typeof FAULT_NAMES)[number];

/** Of the calls and letters in bad weather. */
const SHARE_IN_STORM = 0.04;
const SHARE_IN_CALM = 0.001;

export class Faults {
  readonly counts = new Map<FaultName, number>(FAULT_NAMES.map((name) => [name, 0]));
  stormy = false;
  /** At the end of a run nothing fails any more. */
  over = false;
  readonly #dice: Dice;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  hit(name: FaultName): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  #strikes(): boolean {
    if (this.over) return false;
    return this.#dice.hits(this.stormy ? SHARE_IN_STORM : SHARE_IN_CALM);
  }

  onCall(method: string): CallFault {
    // A step of a restore that comes after the next restore is refused by its counter, like any other.
    if (method === "ping" || method === "unlinkEpoch" || !this.#strikes()) return undefined;
    const fault = this.#dice.pick(["unreachable", "late", "lost", "twice"] as const);
    if (fault === "unreachable") this.hit("call unreachable");
    if (fault === "late") this.hit("call carried out far too late");
    if (fault === "lost") this.hit("answer of a call lost");
    if (fault === "twice") this.hit("call carried out twice");
    return fault;
  }

  onLetter(): LetterFault {
    if (!this.#strikes()) return undefined;
    const fault = this.#dice.hits(0.5) ? "lost request" : "lost answer";
    this.hit(
      fault === "lost request" ? "request between objects lost" : "answer between objects lost",
    );
    return fault;
  }

  /** How late an alarm comes, ms, and whether it comes twice. */
  onAlarm(): { lateMs: number; twice: boolean } {
    if (!this.#strikes()) return { lateMs: 0, twice: false };
    if (this.#dice.hits(0.5)) {
      this.hit("alarm twice");
      return { lateMs: 0, twice: true };
    }
    this.hit("alarm late");
    return { lateMs: this.#dice.between(1_000, 12_000), twice: false };
  }

  onReply(): boolean {
    if (!this.#strikes()) return false;
    this.hit("reply to the fan lost");
    return true;
  }
}
