import type { CapacityReport } from "../../shared/contract/rooms.ts";

/** What the core tells the gate, with its service token. */
export type GateClient = {
  /** Gives a slot back. `false`: the gate did not answer; the job tries again. */
  releaseSlot(input: { event: string; place: string; jti: string }): Promise<boolean>;
  extendSlot(input: {
    event: string;
    place: string;
    jti: string;
    untilMs: number;
  }): Promise<boolean>;
  reportCapacity(event: string, report: CapacityReport): Promise<boolean>;
};
