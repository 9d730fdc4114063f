import { base64url } from "jose";
import type { PlaceId } from "../../shared/ids.ts";
import { doorOfPlace } from "../guard/place-id.ts";

/**
 * Single-use codes for shops on another origin: the page carries the code there, and the shop's
 * server changes it for the admission. Only a hash is kept; a newer code of a place ends the older.
 */
export const CODE_MS = 30_000;
const CODE_PATTERN = /^cod_([0-9a-f]{2})_[A-Za-z0-9_-]{22}$/;

export type Coded = {
  place: PlaceId;
  gen: number;
  jti: string;
  claimedAt: number;
  until: number;
  account?: string;
};

/** Which Door knows the code; `undefined` when it is none. */
export function doorOfCode(code: string): number | undefined {
  const door = CODE_PATTERN.exec(code)?.[1];
  return door === undefined ? undefined : Number.parseInt(door, 16);
}

export class Codes {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      `create table if not exists codes (
         place text primary key, hash text not null unique, ends integer not null, value text not null)`,
    );
  }

  async make(coded: Coded, now: number): Promise<string> {
    const door = doorOfPlace(coded.place).toString(16).padStart(2, "0");
    const random = base64url.encode(crypto.getRandomValues(new Uint8Array(16)));
    const code = `cod_${door}_${random}`;
    const hash = await hashOf(code);
    this.#sql.exec("delete from codes where ends < ?", now);
    this.#sql.exec(
      "insert or replace into codes (place, hash, ends, value) values (?, ?, ?, ?)",
      coded.place,
      hash,
      now + CODE_MS,
      JSON.stringify(coded),
    );
    return code;
  }

  /** One guarded statement: whoever deletes the row has the admission, nobody else. */
  async take(code: string, now: number): Promise<Coded | undefined> {
    const hash = await hashOf(code);
    const [row] = this.#sql
      .exec<{ value: string; ends: number }>(
        "delete from codes where hash = ? returning value, ends",
        hash,
      )
      .toArray();
    return row && row.ends >= now ? (JSON.parse(row.value) as Coded) : undefined;
  }
}

async function hashOf(code: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));
  return base64url.encode(new Uint8Array(digest));
}
