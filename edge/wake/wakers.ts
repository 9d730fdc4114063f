/**
 * Who asked a Door to be woken, and by what: a browser's push subscription, an e-mail address, or
 * both. A row goes with its last word, with a leave, an admission or the end of the sale.
 */

export type PushTarget = { endpoint: string; p256dh: string; auth: string };
export type MailTarget = { email: string; locale: string };
/** All that a push message says; the words for it are with the browser. */
export type WakeWord = { kind: "near" | "called"; event: string; number: number };

export type Waker = {
  place: string;
  kind: "push" | "mail";
  number: number;
  /** How much has been said: 0 nothing, 1 nearly there. */
  stage: number;
  tries: number;
  target: string;
};

export const WAKERS_MAX = 200_000;

export class Wakers {
  readonly #sql: SqlStorage;
  #count: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      `create table if not exists wakers (
         place text not null, kind text not null, number integer, idx integer,
         stage integer not null default 0, tries integer not null default 0,
         target text not null, primary key (place, kind))`,
    );
    sql.exec("create index if not exists wakers_due on wakers (stage, number)");
    this.#count = sql.exec<{ n: number }>("select count(*) as n from wakers").one().n;
  }

  get count(): number {
    return this.#count;
  }

  put(waker: {
    place: string;
    kind: Waker["kind"];
    number: number | undefined;
    index: number | undefined;
    target: PushTarget | MailTarget;
  }): "kept" | "full" {
    if (this.#count >= WAKERS_MAX) return "full";
    const [known] = this.#sql
      .exec("select 1 from wakers where place = ? and kind = ?", waker.place, waker.kind)
      .toArray();
    // The same wish again starts no second round of words.
    this.#sql.exec(
      `insert into wakers (place, kind, number, idx, target) values (?, ?, ?, ?, ?)
       on conflict (place, kind) do update set target = excluded.target,
         number = coalesce(excluded.number, number), idx = coalesce(excluded.idx, idx)`,
      waker.place,
      waker.kind,
      waker.number ?? null,
      waker.index ?? null,
      JSON.stringify(waker.target),
    );
    if (!known) this.#count += 1;
    return "kept";
  }

  /** Places whose number the draw has not told yet. */
  unnumbered(limit: number): { place: string; index: number }[] {
    return this.#sql
      .exec<{ place: string; idx: number }>(
        "select place, idx from wakers where number is null and idx is not null limit ?",
        limit,
      )
      .toArray()
      .map(({ place, idx }) => ({ place, index: idx }));
  }

  setNumber(place: string, number: number): void {
    this.#sql.exec("update wakers set number = ? where place = ?", number, place);
  }

  /** Those who are due a word that they have not had, the lowest numbers first. */
  due(more: { kind: Waker["kind"]; stage: number; upTo: number; limit: number }): Waker[] {
    return this.#sql
      .exec<Waker>(
        `select place, kind, number, stage, tries, target from wakers
         where stage <= ? and number <= ? and kind = ? order by number limit ?`,
        more.stage,
        more.upTo,
        more.kind,
        more.limit,
      )
      .toArray();
  }

  setStage(waker: Pick<Waker, "place" | "kind">, stage: number): void {
    this.#sql.exec(
      "update wakers set stage = ?, tries = 0 where place = ? and kind = ?",
      stage,
      waker.place,
      waker.kind,
    );
  }

  countTry(waker: Pick<Waker, "place" | "kind">): void {
    this.#sql.exec(
      "update wakers set tries = tries + 1 where place = ? and kind = ?",
      waker.place,
      waker.kind,
    );
  }

  drop(waker: Pick<Waker, "place" | "kind">): void {
    const gone = this.#sql
      .exec(
        "delete from wakers where place = ? and kind = ? returning kind",
        waker.place,
        waker.kind,
      )
      .toArray().length;
    this.#count -= gone;
  }

  /** The fan left, came in, moved away, or asked for quiet. */
  forget(place: string): void {
    if (this.#count === 0) return;
    const gone = this.#sql
      .exec("delete from wakers where place = ? returning kind", place)
      .toArray().length;
    this.#count -= gone;
  }

  forgetAll(): void {
    this.#sql.exec("delete from wakers");
    this.#count = 0;
  }
}
