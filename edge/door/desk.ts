import { fromHex } from "../../shared/draw/hex.ts";
import { type Draw, drawOf } from "../../shared/draw/numbers.ts";
import { assert } from "../../shared/result.ts";
import { type Env, readConfig } from "../env.ts";
import { log } from "../http/problem.ts";
import { openLine } from "../line/line.ts";
import { SCRIPT_TEXTS } from "../line/scripts-bundle.ts";
import type { Away, Fence, Line, Phase } from "../line/types.ts";
import type { RoomFacts } from "../room/messages.ts";
import { RowBook } from "../room/row-book.ts";
import { Wakers } from "../wake/wakers.ts";
import { Codes } from "./codes.ts";
import { Devices } from "./devices.ts";
import { Journal } from "./journal.ts";
import type { DoorRoom } from "./messages.ts";
import { Moves } from "./moves.ts";
import { PlaceLimits } from "./place-limits.ts";
import { ReplayMemory } from "./replay.ts";
import { Told } from "./told.ts";

const FACTS_AGE_MS_MIN = 1_000;
/** A line whose clock stands still has no Room behind it: hand out nothing. */
const CLOCK_STILL_MS_MAX = 5_000;
const LEAVES_PER_PASS = 200;

/**
 * What a Door works with: its records, its connection, and what the Room last told it. The verbs
 * (`join.ts`, `turn.ts`, …) are given one.
 */
export class DoorDesk {
  readonly rows: RowBook;
  readonly journal: Journal;
  readonly told: Told;
  readonly devices: Devices;
  readonly codes: Codes;
  readonly moves: Moves;
  readonly wakers: Wakers;
  readonly proofs: ReplayMemory;
  readonly limits = new PlaceLimits();
  /** The highest number told to anybody in this life. */
  highest = 0;
  readonly #storage: DurableObjectStorage;
  readonly #env: Env;
  #room: DoorRoom | undefined;
  #line: Line | undefined;
  #facts: RoomFacts | undefined;
  #factsAt = 0;
  #draw: Draw | undefined;
  #clock = 0;
  #clockMovedAt = 0;
  #pendingLeaves: number;

  constructor(storage: DurableObjectStorage, env: Env) {
    this.#storage = storage;
    this.#env = env;
    const { sql } = storage;
    this.rows = new RowBook(sql);
    this.journal = new Journal(sql);
    this.told = new Told(sql);
    this.devices = new Devices(sql);
    this.codes = new Codes(sql);
    this.moves = new Moves(sql);
    this.wakers = new Wakers(sql);
    this.proofs = new ReplayMemory(sql, Date.now());
    sql.exec("create table if not exists pending_leaves (place text primary key)");
    sql.exec("create table if not exists self (one integer primary key, room text not null)");
    this.#pendingLeaves = sql.exec("select place from pending_leaves").toArray().length;
    const [self] = sql.exec<{ room: string }>("select room from self").toArray();
    if (self) this.#room = JSON.parse(self.room) as DoorRoom;
  }

  get line(): Line {
    assert(this.#line, "a Door is opened before it is used");
    return this.#line;
  }

  get room(): DoorRoom {
    assert(this.#room, "a Door is opened before it is used");
    return this.#room;
  }

  /** Set while the Room has accepted the Redis behind us. */
  get fence(): Fence | undefined {
    return this.#facts?.serving;
  }

  get phase(): Phase | undefined {
    return this.#facts?.phase;
  }

  get hasWork(): boolean {
    return this.journal.waiting > 0 || this.#pendingLeaves > 0;
  }

  async open(room: DoorRoom): Promise<void> {
    if (!this.#room) {
      this.#room = room;
      this.#storage.sql.exec(
        "insert or replace into self (one, room) values (1, ?)",
        JSON.stringify(room),
      );
    }
    if (this.#line) return;
    const config = await readConfig(this.#env);
    this.#line ??= openLine({
      url: config.redisUrl,
      prefix: config.redisPrefix,
      event: room.event,
      scripts: SCRIPT_TEXTS,
    });
  }

  async reopen(): Promise<void> {
    if (this.#room) await this.open(this.#room);
  }

  accept(facts: RoomFacts): void {
    this.#facts = facts;
    this.#factsAt = Date.now();
    this.#clockMovedAt = Date.now();
    if (this.#draw || !facts.draw || facts.draw.count === 0) return;
    this.#draw = drawOf({
      seed: fromHex(facts.draw.seed),
      beacon: fromHex(facts.draw.beacon),
      event: facts.event,
      epoch: facts.epoch,
      count: facts.draw.count,
    });
  }

  stopServing(): void {
    if (!this.#facts) return;
    const { serving: _, ...rest } = this.#facts;
    this.#facts = rest;
    this.#factsAt = Date.now();
  }

  /** Asks the Room what holds, at most once a second. */
  async refreshFacts(): Promise<void> {
    if (Date.now() - this.#factsAt < FACTS_AGE_MS_MIN && this.#facts) return;
    const { event, epoch, door } = this.room;
    this.#factsAt = Date.now();
    try {
      const room = this.#env.ROOM.get(this.#env.ROOM.idFromName(event));
      const facts = await room.facts({ epoch, door });
      if (facts) this.accept(facts);
    } catch (error) {
      log("door.facts_failed", { event, error: String(error) });
    }
  }

  /** @returns the fence to work under, or nothing: then join journals and turn says `not_ready`. */
  async readyFence(): Promise<Fence | undefined> {
    if (!this.fence) await this.refreshFacts();
    return this.fence;
  }

  /** Redis answered that it is not the one we know: the Room has the word. */
  onAway(away: Away): void {
    if (away.reason === "restore" || away.reason === "server" || away.reason === "rolled_back")
      this.stopServing();
  }

  /** The number behind an index, once the draw is made. */
  numberOf(index: number | undefined): number | undefined {
    if (index === undefined || !this.#draw || index >= this.#draw.count) return undefined;
    return this.#draw.numberOf(index);
  }

  /** The fan holds a receipt with the number: that is the record from here on. */
  seeReceipt(place: string): void {
    this.journal.forget(place);
    this.told.forget(place);
  }

  /** An index without a draw may only mean that we have not heard of it yet. */
  async drawnNumberOf(index: number | undefined): Promise<number | undefined> {
    if (index === undefined) return undefined;
    if (!this.#draw) await this.refreshFacts();
    return this.numberOf(index);
  }

  seeClock(clock: number, now: number): void {
    if (clock === this.#clock) return;
    this.#clock = clock;
    this.#clockMovedAt = now;
  }

  clockStands(now: number): boolean {
    return now - this.#clockMovedAt > CLOCK_STILL_MS_MAX;
  }

  /** A leave that Redis has not heard of yet. */
  owesLeave(place: string): void {
    this.#storage.sql.exec("insert or ignore into pending_leaves (place) values (?)", place);
    this.#pendingLeaves += 1;
  }

  /** Tells the Room of waiting journal entries, and Redis of leaves it has missed. */
  async catchUp(): Promise<void> {
    const { event, epoch, door } = this.room;
    if (this.journal.waiting > 0) {
      const room = this.#env.ROOM.get(this.#env.ROOM.idFromName(event));
      await room.journalWaits({ epoch, door });
    }
    const fence = await this.readyFence();
    if (!fence || this.#pendingLeaves === 0) return;
    const places = this.#storage.sql
      .exec<{ place: string }>("select place from pending_leaves limit ?", LEAVES_PER_PASS)
      .toArray();
    for (const { place } of places) {
      const row = this.rows.find(place);
      const result = await this.line.leave(fence, {
        place,
        number: row?.number || null,
        ...(row ? { row } : {}),
      });
      if (result.state === "away") {
        this.onAway(result);
        break;
      }
      this.rows.put(result.row);
      this.#storage.sql.exec("delete from pending_leaves where place = ?", place);
    }
    this.#pendingLeaves = this.#storage.sql
      .exec("select place from pending_leaves")
      .toArray().length;
  }
}
