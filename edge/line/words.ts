// The words that Room, Doors and scripts share. Use through `types.ts`.

export type { Phase } from "../../shared/contract/queue.ts";

/**
 * Which room, and under which restore the caller works. `restore` is the Room's durable counter: it
 * is raised before every refill (and is 1 after the first, empty one). The client adds the server's
 * run_id and the highest beat it has seen; any mismatch is answered `away`.
 */
export interface Fence {
  readonly epoch: number;
  readonly restore: number;
}

/**
 * One fact about one place, in the form in which it is written down and replayed. A Door keeps the
 * last row per place (upsert by place) *before it answers the fan or the core*; the Room does the
 * same with the rows of each tick before `status` shows them. `refill` takes both kinds, in any
 * order, any number of times.
 *   called    popped from the door, slot waits for its claim until `until`          (Room)
 *   missed    not claimed in time, back in the line at `number`, `misses` strikes   (Room)
 *   claimed   the fan is inside until `until`                                       (Door)
 *   left      the fan left while inside: final, but the slot counts until `until`   (Door)
 *   finished  claimed and ended or released; final                                  (Room, Door)
 *   gone      left, or missed three times; final                                    (Room, Door)
 * `claimedAt` (0: never) stays in the row whatever follows: claims younger than 60 s count for the
 * rate even if released.
 */
export interface Row {
  readonly kind: "called" | "missed" | "claimed" | "left" | "finished" | "gone";
  readonly place: string;
  /** 0: only an index so far; -1: neither number nor index. */
  readonly number: number;
  readonly misses: number;
  readonly claimedAt: number;
  readonly until: number;
}

/**
 * Redis cannot be used, or is not the one the Room has accepted. The caller journals or answers
 * `not_ready`. `maybeDone`: the command may still be carried out (all of them are safe to repeat).
 */
export interface Away {
  readonly state: "away";
  readonly reason:
    | "unreachable"
    | "timeout"
    | "read_only"
    | "out_of_memory"
    | "refused"
    | "policy"
    | "server"
    | "restore"
    | "filling"
    | "rolled_back"
    | "confused";
  readonly maybeDone: boolean;
  /** For logs and `/readyz`, never for the public. */
  readonly detail: string;
}

/** The caller is an older Room than one that has already spoken. It must stop ticking. */
export interface Stale {
  readonly state: "stale";
  readonly gen: number;
}
