import { AUDIT_VALUE_BYTES_MAX } from "../../shared/contract/rooms.ts";
import type { EstimateState } from "./estimate.ts";
import { RowBook } from "./row-book.ts";
import type { RoomState } from "./state.ts";

/**
 * A Room's SQLite: its record, the rows of admissions, the history behind the figures, the audit log
 * and the closings the core has still to hear of. All calls are synchronous, so an answer given after
 * them is only let out once they are durable.
 */

export type AuditEntry = {
  id: number;
  at: string;
  actor: string;
  action: string;
  before: unknown;
  after: unknown;
  reason?: string;
  requestId?: string;
};

export type AuditInput = {
  at: number;
  actor: string;
  action: string;
  before?: unknown;
  after?: unknown;
  reason?: string | undefined;
  requestId?: string | undefined;
};

/** One second or minute of the room, as the figures show it. */
export type Moment = {
  at: number;
  issued: number;
  waiting: number;
  door: number;
  inside: number;
  finished: number;
  gone: number;
  admitted: number;
  calling: number;
  rate: number;
};

const SECONDS_KEPT = 3_600;
const AUDIT_ENTRIES_MAX = 100_000;

const SCHEMA = [
  "create table if not exists record (one integer primary key, value text not null)",
  `create table if not exists audit (
     id integer primary key, at integer not null, actor text not null, action text not null,
     before text, after text, reason text, request_id text)`,
  "create table if not exists seconds (at integer primary key, value text not null)",
  "create table if not exists minutes (at integer primary key, value text not null)",
  `create table if not exists closings (
     place text not null, epoch integer not null, tries integer not null, next_at integer not null,
     body text not null, primary key (place, epoch))`,
  "create table if not exists estimate (one integer primary key, value text not null)",
  `create table if not exists epochs (epoch integer primary key, value text not null)`,
  `create table if not exists chunks (chunk integer primary key, leaves blob not null, root blob)`,
];

export class Ledger {
  readonly rows: RowBook;
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    for (const statement of SCHEMA) storage.sql.exec(statement);
    this.rows = new RowBook(storage.sql);
  }

  /** All or nothing. */
  together<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  readRecord(): RoomState | undefined {
    const [row] = this.#storage.sql
      .exec<{ value: string }>("select value from record where one = 1")
      .toArray();
    return row && (JSON.parse(row.value) as RoomState);
  }

  writeRecord(state: RoomState): void {
    this.#storage.sql.exec(
      `insert into record (one, value) values (1, ?)
       on conflict (one) do update set value = excluded.value`,
      JSON.stringify(state),
    );
  }

  audit(input: AuditInput): void {
    const { sql } = this.#storage;
    sql.exec(
      `insert into audit (at, actor, action, before, after, reason, request_id)
       values (?, ?, ?, ?, ?, ?, ?)`,
      input.at,
      input.actor,
      input.action,
      bounded(input.before),
      bounded(input.after),
      input.reason ?? null,
      input.requestId ?? null,
    );
    sql.exec("delete from audit where id <= (select max(id) from audit) - ?", AUDIT_ENTRIES_MAX);
  }

  /** The newest first; `before` is the id to go on from. */
  auditPage(before: number, limit: number): AuditEntry[] {
    return this.#storage.sql
      .exec<{
        id: number;
        at: number;
        actor: string;
        action: string;
        before: string | null;
        after: string | null;
        reason: string | null;
        request_id: string | null;
      }>("select * from audit where id < ? order by id desc limit ?", before, limit)
      .toArray()
      .map((row) => ({
        id: row.id,
        at: new Date(row.at).toISOString(),
        actor: row.actor,
        action: row.action,
        before: row.before === null ? null : JSON.parse(row.before),
        after: row.after === null ? null : JSON.parse(row.after),
        ...(row.reason === null ? {} : { reason: row.reason }),
        ...(row.request_id === null ? {} : { requestId: row.request_id }),
      }));
  }

  remember(moment: Moment): void {
    const { sql } = this.#storage;
    const second = Math.floor(moment.at / 1_000);
    const value = JSON.stringify(moment);
    const put = "(at, value) values (?, ?) on conflict (at) do update set value = excluded.value";
    sql.exec(`insert into seconds ${put}`, second, value);
    // The minute keeps the highest rate that was in force in it: fairness is judged by that.
    sql.exec(
      `insert into minutes (at, value) values (?, json_set(?, '$.rateMax', ?))
       on conflict (at) do update set value = json_set(excluded.value, '$.rateMax',
         max(?, coalesce(json_extract(minutes.value, '$.rateMax'), 0)))`,
      Math.floor(second / 60),
      value,
      moment.rate,
      moment.rate,
    );
    sql.exec("delete from seconds where at < ?", second - SECONDS_KEPT);
  }

  /** What is newer than `since` (ms), the second or minute it lies in once more. */
  history(table: "seconds" | "minutes", more: { limit: number; since: number }): Moment[] {
    const unitMs = table === "seconds" ? 1_000 : 60_000;
    const rows = this.#storage.sql
      .exec<{ value: string }>(
        `select value from ${table} where at >= ? order by at desc limit ?`,
        Math.floor(more.since / unitMs),
        more.limit,
      )
      .toArray();
    return rows.reverse().map(({ value }) => JSON.parse(value) as Moment);
  }

  keepEstimate(estimate: EstimateState): void {
    this.#storage.sql.exec(
      "insert or replace into estimate (one, value) values (1, ?)",
      JSON.stringify(estimate),
    );
  }

  readEstimate(): EstimateState | undefined {
    const [row] = this.#storage.sql.exec<{ value: string }>("select value from estimate").toArray();
    return row && (JSON.parse(row.value) as EstimateState);
  }

  /** What belongs to one epoch alone; audit log and minutes go on. */
  clearEpoch(): void {
    const { sql } = this.#storage;
    this.rows.clear();
    for (const table of ["seconds", "minutes", "chunks", "estimate"])
      sql.exec(`delete from ${table}`);
  }

  keepEpoch(epoch: number, value: unknown): void {
    this.#storage.sql.exec(
      "insert or replace into epochs (epoch, value) values (?, ?)",
      epoch,
      JSON.stringify(value),
    );
  }

  epochs<T>(limit: number): T[] {
    return this.#storage.sql
      .exec<{ value: string }>("select value from epochs order by epoch limit ?", limit)
      .toArray()
      .map(({ value }) => JSON.parse(value) as T);
  }

  get sql(): SqlStorage {
    return this.#storage.sql;
  }
}

/** Values in the log are cut, so that a long setting cannot fill it. */
function bounded(value: unknown): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  if (text.length <= AUDIT_VALUE_BYTES_MAX) return text;
  return JSON.stringify({ cut: text.slice(0, AUDIT_VALUE_BYTES_MAX - 64) });
}
