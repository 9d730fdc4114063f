/**
 * What the core may ask of PostgreSQL. Everything is one statement under one client-side deadline:
 * there is no interactive transaction here, and no way to make one (see ARCHITECTURE).
 *
 * Failures, all of them {@link Refusal} (shared/errors.ts) except {@link SqlError}:
 * - `overloaded` (503, Retry-After): shed before it queued; nothing was sent.
 * - `unavailable` (503, Retry-After): not reachable, or the server cut the statement; nothing was done.
 * - `outcome_unknown` (503): the connection was lost, or the deadline passed, after a change was sent.
 * - `conflict_retry` (409): deadlock or serialization failure, twice.
 */

/** Strings stay as they are, objects travel as JSON, arrays as SQL arrays of their elements' text. */
export type SqlArg =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | readonly (string | number | boolean | null)[]
  | { readonly [key: string]: unknown };

export type QueryOptions = {
  /** Waiting, connecting and running together; 5 s unless given. */
  deadlineMs?: number;
  /** Imports and reports: connections of their own, 60 s. */
  slow?: boolean;
};

export type Db = {
  /**
   * `select fn(args…)`: one call of one SQL function, a state change. An object argument becomes
   * `jsonb`; types are the function's own. Returns what the function returns (jsonb as plain data).
   */
  call<T>(fn: string, args: readonly SqlArg[], options?: QueryOptions): Promise<T>;
  /** One guarded statement that changes state (`returning` gives the rows). */
  write<T>(text: string, args?: readonly SqlArg[], options?: QueryOptions): Promise<T[]>;
  /** A statement that only reads; asked again once when its connection dies. Int8 comes as number. */
  read<T>(text: string, args?: readonly SqlArg[], options?: QueryOptions): Promise<T[]>;
  /** A real round trip, for `/readyz`. */
  ping(deadlineMs: number): Promise<void>;
  stats(): PoolStats;
  close(): Promise<void>;
};

export type PoolStats = {
  connections: number;
  busy: number;
  waiting: number;
  /** Moving average of a statement's time on its connection, ms. */
  serviceMs: number;
  shed: number;
  replaced: number;
  deadlines: number;
};

/** The server refused the statement itself: a bug, or a constraint that a verb knows by name. */
export class SqlError extends Error {
  readonly sqlState: string;
  readonly constraint: string | undefined;

  constructor(message: string, more: { sqlState: string; constraint?: string | undefined }) {
    super(message);
    this.name = "SqlError";
    this.sqlState = more.sqlState;
    this.constraint = more.constraint;
  }
}
