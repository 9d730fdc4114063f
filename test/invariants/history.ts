// What clients saw, in the order in which they saw it: the other witness beside the databases. A
// driver writes it, the checkers go through it.

/** The HTTP status, or `cut` when the connection ended without an answer. */
export type Outcome = number | "cut";

export type Note = {
  /** ms since 1970, when the answer (or its loss) was seen. */
  readonly at: number;
  readonly who: string;
  readonly op: Op;
  readonly outcome: Outcome;
  readonly code?: string;
  readonly place?: string;
  readonly number?: number;
  /** `jti` of an admission. */
  readonly jti?: string;
  readonly hold?: string;
  readonly order?: string;
  readonly state?: string;
  readonly inside?: number;
};

export type Op =
  | "join"
  | "turn"
  | "leave"
  | "status"
  /** The organizer's own acts: `state` is the phase that the room has after it. */
  | "act"
  | "hold"
  | "release"
  | "order"
  | "pay"
  | "look"
  | "refund"
  /** What nobody may get away with: another's hold, a forged token or webhook, a proof used twice. */
  | "steal"
  | "forge"
  | "replay"
  | "map";

export class History {
  readonly notes: Note[] = [];

  note(note: Omit<Note, "at">): void {
    this.notes.push({ at: Date.now(), ...note });
  }

  of(...ops: readonly Op[]): Note[] {
    return this.notes.filter(({ op }) => ops.includes(op));
  }

  counts(): Map<string, number> {
    const found = new Map<string, number>();
    for (const { op, outcome } of this.notes) {
      const key = `${op} ${outcome}`;
      found.set(key, (found.get(key) ?? 0) + 1);
    }
    return found;
  }
}
