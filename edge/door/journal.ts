import type { Arrival } from "../line/types.ts";

/**
 * Joins that a Door took down while Redis was away, in order of arrival. An entry is durable before
 * the fan hears 201, is handed to the Room afterwards, and stays (marked) until the place has its
 * number or index, since the Redis it was entered into may be lost as well.
 */
export const JOURNAL_ENTRIES_MAX = 500_000;

export type JournalPage = { arrivals: Arrival[]; more: boolean };

export class Journal {
  readonly #sql: SqlStorage;
  #size: number;
  #waiting: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      `create table if not exists journal (
         id integer primary key, place text not null unique, at integer not null,
         entered integer not null default 0)`,
    );
    sql.exec("create index if not exists journal_order on journal (entered, at, id)");
    this.#size = this.#count("select count(*) as n from journal");
    this.#waiting = this.#count("select count(*) as n from journal where entered = 0");
  }

  /** Entries the Room has not entered yet. */
  get waiting(): number {
    return this.#waiting;
  }

  find(place: string): { at: number } | undefined {
    if (this.#size === 0) return undefined;
    const [row] = this.#sql
      .exec<{ at: number }>("select at from journal where place = ? limit 1", place)
      .toArray();
    return row && { at: row.at };
  }

  /** @returns `full` when the bound is reached; the fan then has no place yet and is told so. */
  add(arrival: Arrival): "added" | "known" | "full" {
    if (this.find(arrival.place)) return "known";
    if (this.#size >= JOURNAL_ENTRIES_MAX) return "full";
    this.#sql.exec("insert into journal (place, at) values (?, ?)", arrival.place, arrival.at);
    this.#size += 1;
    this.#waiting += 1;
    return "added";
  }

  /** The oldest that have not been entered; `limit` at most. */
  page(limit: number): JournalPage {
    const arrivals = this.#sql
      .exec<{ place: string; at: number }>(
        "select place, at from journal where entered = 0 order by at, id limit ?",
        limit,
      )
      .toArray();
    return { arrivals, more: this.#waiting > arrivals.length };
  }

  markEntered(places: readonly string[]): void {
    for (const place of places)
      this.#sql.exec("update journal set entered = 1 where place = ?", place);
    this.#waiting = this.#count("select count(*) as n from journal where entered = 0");
  }

  /** Redis was lost again: what it was told may be gone with it. */
  markAllWaiting(): void {
    if (this.#size === 0) return;
    this.#sql.exec("update journal set entered = 0");
    this.#waiting = this.#size;
  }

  /** The fan holds a token with the number: that is the record from here on. */
  forget(place: string): void {
    if (this.#size === 0) return;
    const [gone] = this.#sql
      .exec<{ entered: number }>("delete from journal where place = ? returning entered", place)
      .toArray();
    if (!gone) return;
    this.#size -= 1;
    if (gone.entered === 0) this.#waiting -= 1;
  }

  #count(query: string): number {
    const [row] = this.#sql.exec<{ n: number }>(query).toArray();
    return row?.n ?? 0;
  }
}
