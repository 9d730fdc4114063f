import { DurableObject } from "cloudflare:workers";
import { type Env, readConfig } from "../env.ts";
import { openLine } from "../line/line.ts";
import { SCRIPT_TEXTS } from "../line/scripts-bundle.ts";
import type { RoomFacts } from "../room/messages.ts";
import type { ClaimPage, RowPage } from "../room/row-book.ts";
import { RING_MS, ringWakers } from "../wake/ring.ts";
import { DoorDesk } from "./desk.ts";
import { joinPlace } from "./join.ts";
import type { JournalPage } from "./journal.ts";
import { leavePlace } from "./leave.ts";
import type {
  DoorRoom,
  ExchangeOutcome,
  JoinInput,
  JoinOutcome,
  LeaveInput,
  LeaveOutcome,
  LookOutcome,
  MoveOutcome,
  SlotInput,
  SlotOutcome,
  TakeMoveInput,
  TakeMoveOutcome,
  TurnInput,
  TurnOutcome,
  WakeInput,
  WakeOutcome,
} from "./messages.ts";
import { offerMove, takeMove } from "./move.ts";
import { moveSlot } from "./slot.ts";
import { lookAtPlace, takeTurn } from "./turn.ts";
import { keepWaker } from "./wake.ts";

const ALARM_MS = 1_000;
const CLAIMS_PAGE = 5_000;
const REPLAY_ROWS = 500;

/**
 * One of a room's Doors: the places whose id names it, one Redis connection, and the durable records
 * that let the line survive a lost Redis. It decides nothing about admission: the scripts do.
 */
export class Door extends DurableObject<Env> {
  readonly #desk: DoorDesk;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#desk = new DoorDesk(ctx.storage, env);
  }

  async join(room: DoorRoom, input: JoinInput): Promise<JoinOutcome> {
    await this.#desk.open(room);
    const outcome = await joinPlace(this.#desk, input);
    await this.#wake();
    return outcome;
  }

  async turn(room: DoorRoom, input: TurnInput): Promise<TurnOutcome> {
    await this.#desk.open(room);
    return await takeTurn(this.#desk, input);
  }

  async look(room: DoorRoom, input: TurnInput): Promise<LookOutcome> {
    await this.#desk.open(room);
    return await lookAtPlace(this.#desk, input);
  }

  async leave(room: DoorRoom, input: LeaveInput): Promise<LeaveOutcome> {
    await this.#desk.open(room);
    const outcome = await leavePlace(this.#desk, input);
    await this.#wake();
    return outcome;
  }

  async slot(room: DoorRoom, input: SlotInput): Promise<SlotOutcome> {
    await this.#desk.open(room);
    return await moveSlot(this.#desk, input);
  }

  async exchange(room: DoorRoom, code: string): Promise<ExchangeOutcome> {
    await this.#desk.open(room);
    const coded = await this.#desk.codes.take(code, Date.now());
    return coded ? { kind: "admission", ...coded } : { kind: "invalid" };
  }

  /** Keeps by what the place wants to be woken; nothing named means that it wants quiet. */
  async wake(room: DoorRoom, input: WakeInput): Promise<WakeOutcome> {
    await this.#desk.open(room);
    const outcome = keepWaker(this.#desk, input);
    await this.#wake();
    return outcome;
  }

  /** A link by which the place goes to another device. */
  async offerMove(room: DoorRoom, input: TurnInput): Promise<MoveOutcome> {
    await this.#desk.open(room);
    return await offerMove(this.#desk, input);
  }

  async takeMove(room: DoorRoom, input: TakeMoveInput): Promise<TakeMoveOutcome> {
    await this.#desk.open(room);
    return await takeMove(this.#desk, input);
  }

  // What the Room says to its Doors.

  /** Stops serving; the highest number this life has told anybody bounds the gap after a loss. */
  async beginRestore(room: DoorRoom): Promise<{ highest: number; journalled: number }> {
    await this.#desk.open(room);
    this.#desk.stopServing();
    return { highest: this.#desk.highest, journalled: this.#desk.journal.waiting };
  }

  /**
   * A page of this Door's rows, for a Redis that is being filled. The Room enters them: a Door that
   * cannot reach Redis itself holds nobody up.
   */
  async rowsPage(room: DoorRoom, after: number): Promise<RowPage> {
    await this.#desk.open(room);
    const page = this.#desk.rows.page(after, REPLAY_ROWS);
    if (page.next === undefined) {
      this.#desk.journal.markAllWaiting();
      await this.#wake();
    }
    return page;
  }

  /** From here on joins go to Redis; what stands in the journal the Room must collect. */
  async serve(room: DoorRoom, facts: RoomFacts): Promise<{ journalled: number }> {
    await this.#desk.open(room);
    this.#desk.accept(facts);
    return { journalled: this.#desk.journal.waiting };
  }

  async journalPage(room: DoorRoom, limit: number): Promise<JournalPage> {
    await this.#desk.open(room);
    return this.#desk.journal.page(limit);
  }

  async journalEntered(room: DoorRoom, places: string[]): Promise<void> {
    await this.#desk.open(room);
    this.#desk.journal.markEntered(places);
  }

  /** For the fairness report: a Door knows of a claim before the fan does. */
  async claims(room: DoorRoom, after: number): Promise<ClaimPage> {
    await this.#desk.open(room);
    return this.#desk.rows.claims(after, CLAIMS_PAGE);
  }

  /** By this Door's own record, which is there before any admission is told. */
  async isInside(room: DoorRoom, place: string): Promise<boolean> {
    await this.#desk.open(room);
    const row = this.#desk.rows.find(place);
    return row?.kind === "claimed" && row.until > Date.now();
  }

  /** For a readiness check while there is no room. */
  async ping(): Promise<{ ok: boolean; detail: string }> {
    const { redisUrl, redisPrefix } = await readConfig(this.env);
    const line = openLine({
      url: redisUrl,
      prefix: redisPrefix,
      event: "readiness",
      scripts: SCRIPT_TEXTS,
    });
    const pong = await line.ping();
    line.close();
    return pong.state === "away"
      ? { ok: false, detail: `${pong.reason}: ${pong.detail}` }
      : { ok: true, detail: pong.server };
  }

  /** Who is inside by this Door's records. */
  async insidePlaces(
    room: DoorRoom,
    more: { now: number; limit: number },
  ): Promise<{ place: string; gen: number }[]> {
    await this.#desk.open(room);
    const { rows, devices } = this.#desk;
    return rows
      .inside(more.now, more.limit)
      .map(({ place }) => ({ place, gen: devices.find(place)?.gen ?? 1 }));
  }

  /** The epoch is over: nothing in here counts any more. */
  async end(room: DoorRoom): Promise<void> {
    await this.#desk.open(room);
    this.#desk.line.close();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.ctx.abort("the epoch has ended");
  }

  override async alarm(): Promise<void> {
    try {
      await this.#desk.reopen();
      await this.#desk.catchUp();
      await this.#ring();
    } finally {
      await this.#wake();
    }
  }

  async #ring(): Promise<void> {
    if (this.#desk.wakers.count === 0) return;
    const { event } = this.#desk.room;
    const config = await readConfig(this.env);
    const room = this.env.ROOM.get(this.env.ROOM.idFromName(event));
    await ringWakers(this.#desk, config, () => room.status());
  }

  /** While something has still to reach the Room or Redis, look again each second; for wakers, seldom. */
  async #wake(): Promise<void> {
    const { hasWork, wakers } = this.#desk;
    if (!hasWork && wakers.count === 0) return;
    const due = Date.now() + (hasWork ? ALARM_MS : RING_MS);
    const set = await this.ctx.storage.getAlarm();
    if (set !== null && set <= due) return;
    await this.ctx.storage.setAlarm(due);
  }
}
