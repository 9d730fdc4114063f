import type { OrderListener } from "./order-watch.ts";

/**
 * Live changes of an event's availability, pushed to open pages. Advisory: the hold decides.
 *
 * A change is announced as no more than "something changed in this event". Each process that has
 * listeners then reads what is newer than the version it knows from PostgreSQL, so deltas are always
 * the database's own, in order, whoever announced what, and also when nobody did.
 */
export type Live = {
  /** Call after the commit. Never throws, never waits. */
  publish(change: LiveChange): void;
  /** Delivers what happens from now on; see hub.ts. */
  subscribe(event: string, listener: LiveListener, since?: number): Promise<Subscription>;
  listeners(): number;
  /** Something became of an order: its open pages look. Never throws, never waits. */
  tellOrder(order: string): void;
  watchOrder(order: string, listener: OrderListener): Subscription;
  orderListeners(): number;
  close(): Promise<void>;
};

export type SeatStatus = "available" | "held" | "sold" | "blocked";

/** What changed, as far as its announcer knows. Only `event` is relied on. */
export type LiveChange = {
  event: string;
  seats?: readonly { id: string; status: SeatStatus }[];
  zones?: readonly { id: string; available: number }[];
};

/** A row's letters as in the seat map (shared/contract/events.ts), and what standing zones have left. */
export type LiveDelta = {
  event: string;
  version: number;
  rows: { section: string; row: string; status: string }[];
  zones: { id: string; available: number }[];
};

export type LiveMessage =
  /** The version that deltas start from; the page reads the seat map if its own is older. */
  | { kind: "snapshot"; version: number }
  | { kind: "delta"; delta: LiveDelta }
  /** This process stops; the page comes back to another. */
  | { kind: "end" };

export type LiveListener = (message: LiveMessage) => void;

export type Subscription = { close(): void };
