/**
 * Proof ids that were used, for as long as each could be shown again. An id is durable before the
 * answer it bought goes out, so a Door that is moved or started anew remembers it; the look itself is
 * one into memory.
 */
const MARKS_MAX = 200_000;
const PRUNE_EVERY_MS = 10_000;

export class ReplayMemory {
  readonly #sql: SqlStorage;
  readonly #marks = new Map<string, number>();
  #prunedAt: number;

  constructor(sql: SqlStorage, now: number) {
    this.#sql = sql;
    this.#prunedAt = now;
    sql.exec(
      "create table if not exists proofs (id text primary key, until integer not null) without rowid",
    );
    sql.exec("delete from proofs where until <= ?", now);
    const known = sql.exec<{ id: string; until: number }>(
      "select id, until from proofs order by until limit ?",
      MARKS_MAX,
    );
    for (const { id, until } of known) this.#marks.set(id, until);
  }

  /** @returns false when this place has used the id before. Times are ms. */
  take(id: string, more: { now: number; untilMs: number }): boolean {
    const known = this.#marks.get(id);
    if (known !== undefined && known > more.now) return false;
    this.#marks.delete(id);
    this.#marks.set(id, more.untilMs);
    this.#sql.exec("insert or replace into proofs (id, until) values (?, ?)", id, more.untilMs);
    this.#trim(more.now);
    return true;
  }

  /** Oldest first, as a Map keeps its order; bounded work for each call. */
  #trim(now: number): void {
    if (now - this.#prunedAt > PRUNE_EVERY_MS) {
      this.#prunedAt = now;
      this.#sql.exec("delete from proofs where until <= ?", now);
    }
    let looked = 0;
    for (const [id, untilMs] of this.#marks) {
      looked += 1;
      if (untilMs > now && this.#marks.size <= MARKS_MAX) return;
      this.#marks.delete(id);
      if (looked >= 8) return;
    }
  }
}
