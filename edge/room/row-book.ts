import type { Row } from "../line/types.ts";

/**
 * What is final about places, one row each, in an object's own SQLite. A Door writes a row before it
 * answers, the Room before `status` shows it; after a lost Redis both replay theirs. It never forgets
 * a row within an epoch.
 */
type Stored = {
  id: number;
  place: string;
  kind: string;
  number: number;
  misses: number;
  claimed_at: number;
  until: number;
};

export type RowPage = { rows: Row[]; next: number | undefined };

export type ClaimPage = { claims: { place: string; at: number }[]; next: number | undefined };
export type Called = { place: string; number: number; misses: number };

const KINDS: Readonly<Record<string, Row["kind"]>> = {
  called: "called",
  missed: "missed",
  claimed: "claimed",
  left: "left",
  finished: "finished",
  gone: "gone",
};

export class RowBook {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      `create table if not exists rows (
         id integer primary key,
         place text not null unique,
         kind text not null,
         number integer not null,
         misses integer not null,
         claimed_at integer not null,
         until integer not null
       )`,
    );
  }

  /** Synchronous: durable before any answer that is given after it (the object's output gate). */
  put(row: Row): void {
    this.#sql.exec(
      `insert into rows (place, kind, number, misses, claimed_at, until) values (?, ?, ?, ?, ?, ?)
       on conflict (place) do update set
         kind = excluded.kind, number = excluded.number, misses = excluded.misses,
         claimed_at = excluded.claimed_at, until = excluded.until
       where rows.kind is not excluded.kind or rows.number is not excluded.number
          or rows.misses is not excluded.misses or rows.claimed_at is not excluded.claimed_at
          or rows.until is not excluded.until`,
      row.place,
      row.kind,
      row.number,
      row.misses,
      row.claimedAt,
      row.until,
    );
  }

  find(place: string): Row | undefined {
    const [stored] = this.#sql
      .exec<Stored>("select * from rows where place = ? limit 1", place)
      .toArray();
    return stored && toRow(stored);
  }

  /** Rows after `after`, in the order in which they were first written. */
  page(after: number, limit: number): RowPage {
    const stored = this.#sql
      .exec<Stored>("select * from rows where id > ? order by id limit ?", after, limit)
      .toArray();
    const last = stored.at(-1);
    return { rows: stored.map(toRow), next: stored.length < limit ? undefined : last?.id };
  }

  /** Who is inside by these records, for telling the core. */
  inside(now: number, limit: number): Row[] {
    return this.#sql
      .exec<Stored>(
        "select * from rows where kind = 'claimed' and until > ? order by id limit ?",
        now,
        limit,
      )
      .toArray()
      .map(toRow);
  }

  /** Who used an admission, and when (ms), in the order in which their rows were first written. */
  claims(after: number, limit: number): ClaimPage {
    const stored = this.#sql
      .exec<{ id: number; place: string; claimed_at: number }>(
        "select id, place, claimed_at from rows where claimed_at > 0 and id > ? order by id limit ?",
        after,
        limit,
      )
      .toArray();
    return {
      claims: stored.map(({ place, claimed_at: at }) => ({ place, at })),
      next: stored.length < limit ? undefined : stored.at(-1)?.id,
    };
  }

  /** Who was called to a slot, in the order of their first calls. */
  called(limit: number): Called[] {
    return this.#sql
      .exec<Called>(
        "select place, number, misses from rows where number > 0 order by id limit ?",
        limit,
      )
      .toArray();
  }

  /** When the calls of a Door's places, which may have become slots since, were to be claimed by. */
  deadlinesOf(prefix: string): number[] {
    return this.#sql
      .exec<{ until: number }>(
        "select until from rows where kind in ('called', 'claimed') and substr(place, 1, ?) = ?",
        prefix.length,
        prefix,
      )
      .toArray()
      .map(({ until }) => until);
  }

  clear(): void {
    this.#sql.exec("delete from rows");
  }
}

const toRow = (stored: Stored): Row => ({
  kind: KINDS[stored.kind] ?? "gone",
  place: stored.place,
  number: stored.number,
  misses: stored.misses,
  claimedAt: stored.claimed_at,
  until: stored.until,
});
