/**
 * Numbers that a turn told to a place whose receipt has none yet: it came while Redis was away, or
 * waits for the page to fetch its receipt. A number is written down before it is told, so that it
 * stays this place's whatever becomes of Redis; the receipt that names it takes over.
 */
export const TOLD_ENTRIES_MAX = 500_000;

export class Told {
  readonly #sql: SqlStorage;
  #size: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec("create table if not exists told (place text primary key, number integer not null)");
    const [row] = sql.exec<{ n: number }>("select count(*) as n from told").toArray();
    this.#size = row?.n ?? 0;
  }

  find(place: string): number | undefined {
    if (this.#size === 0) return undefined;
    const [row] = this.#sql
      .exec<{ number: number }>("select number from told where place = ?", place)
      .toArray();
    return row?.number;
  }

  /** @returns whether the number may be told: it stands here, now or since before. */
  put(place: string, number: number): boolean {
    const known = this.find(place);
    if (known !== undefined) return known === number;
    if (this.#size >= TOLD_ENTRIES_MAX) return false;
    this.#sql.exec("insert into told (place, number) values (?, ?)", place, number);
    this.#size += 1;
    return true;
  }

  forget(place: string): void {
    if (this.#size === 0) return;
    this.#size -= this.#sql
      .exec("delete from told where place = ? returning 1", place)
      .toArray().length;
  }
}
