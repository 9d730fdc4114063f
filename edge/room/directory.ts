import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";

/**
 * One object that knows which rooms exist and the few facts that a Worker needs before it may touch
 * another object. Workers ask at most once a second each, so an invented event id costs a look into
 * their own memory and nothing else.
 */
export type RoomEntry = {
  event: string;
  epoch: number;
  /** Fixed for the epoch, since a place id names its Door. */
  doors: number;
  binding: "dpop" | "none";
  entry: "open" | "pass";
  challenge: "none" | "pow" | "turnstile";
  continueTo: string;
  /** ms since 1970. */
  closesAt?: number;
  sessionMs: number;
  proxy?: { origin: string; include: string[]; exclude: string[] };
};

const ROOMS_MAX = 10_000;

export type RoomList = { version: number; rooms: RoomEntry[] };

export class Directory extends DurableObject<Env> {
  #list: RoomList;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    sql.exec("create table if not exists rooms (event text primary key, entry text not null)");
    sql.exec(
      "create table if not exists version (one integer primary key, version integer not null)",
    );
    sql.exec("insert or ignore into version (one, version) values (1, 1)");
    this.#list = this.#read();
  }

  /** `undefined` when nothing has changed since the version that the asker knows. */
  list(known: number): RoomList | undefined {
    return this.#list.version === known ? undefined : this.#list;
  }

  put(entry: RoomEntry): void {
    const { sql } = this.ctx.storage;
    if (
      !this.#list.rooms.some(({ event }) => event === entry.event) &&
      this.#list.rooms.length >= ROOMS_MAX
    )
      throw new Error(`a deployment has at most ${ROOMS_MAX} rooms`);
    this.ctx.storage.transactionSync(() => {
      sql.exec(
        "insert into rooms (event, entry) values (?, ?) on conflict (event) do update set entry = excluded.entry",
        entry.event,
        JSON.stringify(entry),
      );
      sql.exec("update version set version = version + 1");
    });
    this.#list = this.#read();
  }

  remove(event: string): void {
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      sql.exec("delete from rooms where event = ?", event);
      sql.exec("update version set version = version + 1");
    });
    this.#list = this.#read();
  }

  #read(): RoomList {
    const { sql } = this.ctx.storage;
    const [row] = sql.exec<{ version: number }>("select version from version").toArray();
    const rooms = sql
      .exec<{ entry: string }>("select entry from rooms order by event")
      .toArray()
      .map(({ entry }) => JSON.parse(entry) as RoomEntry);
    return { version: row?.version ?? 1, rooms };
  }
}
