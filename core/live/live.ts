/** Live changes of one event's availability, pushed to open pages. Advisory: the hold decides. */

export type SeatStatus = "available" | "held" | "sold" | "blocked";

export type LiveChange = {
  event: string;
  /** Seats whose status is now this. */
  seats?: { id: string; status: SeatStatus }[];
  /** Standing zones: what is left now. */
  zones?: { id: string; available: number }[];
};

export type Live = {
  /**
   * After the commit; never throws, never waits for Redis longer than its own deadline. What is lost
   * here is seen with the next read of the seat map.
   */
  publish(change: LiveChange): void;
};
