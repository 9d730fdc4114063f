import { base64url } from "jose";
import type { PlaceId } from "../../shared/ids.ts";
import { isPlaceId } from "../guard/place-id.ts";

/**
 * Links by which a fan takes the own place along to another device: good once, for ten minutes, and a
 * newer one of the place ends the older. Only a hash is kept.
 */
export const MOVE_MS = 600_000;
const MOVE_PATTERN = /^mov_(plc_[0-9a-f]{2}_[A-Za-z0-9_-]{22})_[A-Za-z0-9_-]{22}$/;

/** Which place the link is of; whether it is good, its Door knows. */
export function placeOfMove(code: string): PlaceId | undefined {
  const place = MOVE_PATTERN.exec(code)?.[1];
  return place !== undefined && isPlaceId(place) ? place : undefined;
}

export type Moving = {
  gen: number;
  number?: number;
  index?: number;
  at: number;
  account?: string;
};

export class Moves {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      `create table if not exists moves (
         place text primary key, hash text not null, ends integer not null, value text not null)`,
    );
  }

  async make(place: PlaceId, moving: Moving, now: number): Promise<{ code: string; ends: number }> {
    const random = base64url.encode(crypto.getRandomValues(new Uint8Array(16)));
    const code = `mov_${place}_${random}`;
    const ends = now + MOVE_MS;
    const hash = await hashOf(code);
    this.#sql.exec("delete from moves where ends < ?", now);
    this.#sql.exec(
      "insert or replace into moves (place, hash, ends, value) values (?, ?, ?, ?)",
      place,
      hash,
      ends,
      JSON.stringify(moving),
    );
    return { code, ends };
  }

  /** One guarded statement: whoever deletes the row has the place, nobody else. */
  async take(code: string, now: number): Promise<Moving | undefined> {
    const hash = await hashOf(code);
    const [row] = this.#sql
      .exec<{ value: string; ends: number }>(
        "delete from moves where hash = ? returning value, ends",
        hash,
      )
      .toArray();
    return row && row.ends >= now ? (JSON.parse(row.value) as Moving) : undefined;
  }
}

async function hashOf(code: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));
  return base64url.encode(new Uint8Array(digest));
}
