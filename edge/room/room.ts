import { DurableObject } from "cloudflare:workers";
import type { CapacityReport, FairnessReport } from "../../shared/contract/rooms.ts";
import type { Evidence } from "../../shared/draw/evidence.ts";
import { type Env, readConfig } from "../env.ts";
import { log } from "../http/problem.ts";
import { openLine } from "../line/line.ts";
import { SCRIPT_TEXTS } from "../line/scripts-bundle.ts";
import { actOnRoom } from "./act.ts";
import { runBeat } from "./beat.ts";
import { takeReport } from "./capacity.ts";
import { deliverClosings } from "./closing.ts";
import { opensAtOf, RoomCore } from "./core.ts";
import { evidenceOf, proofOf } from "./evidence.ts";
import { fairnessOf } from "./fairness.ts";
import { figuresOf } from "./figures.ts";
import { Ledger } from "./ledger.ts";
import type {
  Act,
  ActionInput,
  Figures,
  LogReply,
  PatchInput,
  PutInput,
  RoomFacts,
  RoomView,
  Verdict,
} from "./messages.ts";
import { retireRoom } from "./retire.ts";
import { patchRoom, putRoom, viewOf } from "./rooms.ts";
import { msToNextChange } from "./scheduled.ts";
import { statusOf } from "./snapshot.ts";
import { noteVerifierAway } from "./verifier.ts";
import { Watch } from "./watch.ts";

const FAIRNESS_AGE_MS = 5_000;
const BEAT_MS = 1_000;
/** Right after a draw nobody is at the door yet: the first who come need not wait out a whole beat. */
const FIRST_BEAT_MS = 250;
const FIRST_SECONDS_MS = 10_000;
/** A room with nothing to come for a long time looks at the clock this often. */
const IDLE_MS = 30_000;
const IDLE_AHEAD_MS = 3_600_000;
const FIRST_BEATS_MAX = 4;
const FIRST_BEATS_PAUSE_MS = 300;
const CLOSED_BEATS_MS = 600_000;
/** A beat that has hung for so long is given up; the scripts refuse what it may still do. */
const BEAT_MS_MAX = 20_000;

/**
 * One event's room: settings, the beat, the draw, the records. A thin class: what it decides stands
 * in the pure files beside it, what it keeps in its SQLite, what it does in one verb a file.
 */
export class Room extends DurableObject<Env> {
  readonly #core: RoomCore;
  readonly #watch: Watch;
  #beating: { done: Promise<unknown>; at: number } | undefined;
  #delivering = false;
  #fairness: FairnessReport | undefined;
  #superseded = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#core = new RoomCore({
      ledger: new Ledger(ctx.storage),
      env,
      openLine: (config, event) =>
        openLine({
          url: config.redisUrl,
          prefix: config.redisPrefix,
          event,
          scripts: SCRIPT_TEXTS,
        }),
    });
    this.#watch = new Watch(this.#core.ledger.readEstimate());
    if (!this.#core.exists) return;
    // Each life of the object takes the next `gen`, durably: an older one cannot admit any more.
    const { state } = this.#core;
    state.gen = Math.max(state.gen + 1, Math.floor(Date.now() / 1_000));
    // What the Doors wrote down in an outage that this life knows nothing of comes first.
    state.journalsPending ||= state.refills > 0;
    this.#core.save();
  }

  /** The shared document, as text, since that is what every Worker passes on. */
  async status(): Promise<string | undefined> {
    if (!(await this.#open())) return undefined;
    if ((await this.ctx.storage.getAlarm()) === null) await this.#setAlarm(BEAT_MS);
    return JSON.stringify(statusOf(this.#core, this.#watch.estimate, Date.now()));
  }

  async facts(from: { epoch: number; door: number }): Promise<RoomFacts | undefined> {
    if (!(await this.#open()) || this.#core.state.epoch !== from.epoch) return undefined;
    return this.#core.facts(from.door);
  }

  async put(
    input: PutInput & { event: string },
    act: Act,
  ): Promise<Verdict<{ view: RoomView; created: boolean }>> {
    this.#core.configure(await readConfig(this.env));
    const verdict = await putRoom(this.#core, input, act);
    if (!verdict.ok) return verdict;
    // A new room answers when its line is ready, so that the very first fan gets a number at once;
    // with Redis away it answers all the same.
    const beats = verdict.value.created ? FIRST_BEATS_MAX : 1;
    for (let tries = 1; ; tries += 1) {
      await this.#beatNow();
      if (tries >= beats) break;
      if (this.#core.isServing() && !this.#core.stale) break;
      await scheduler.wait(FIRST_BEATS_PAUSE_MS);
    }
    return verdict;
  }

  async patch(input: PatchInput, act: Act): Promise<Verdict<RoomView>> {
    if (!(await this.#open())) return { ok: false, code: "unknown_event" };
    const verdict = await patchRoom(this.#core, input, act);
    if (verdict.ok) await this.#beatNow();
    return verdict;
  }

  async act(input: ActionInput, act: Act): Promise<Verdict<RoomView>> {
    if (!(await this.#open())) return { ok: false, code: "unknown_event" };
    const verdict = await actOnRoom(this.#core, input, act);
    if (verdict.ok && input.action === "reset") this.#watch.forget();
    if (verdict.ok) await this.#beatNow();
    return verdict;
  }

  async view(): Promise<RoomView | undefined> {
    return (await this.#open()) ? viewOf(this.#core.state) : undefined;
  }

  async figures(since: number): Promise<Figures | undefined> {
    return (await this.#open())
      ? figuresOf(this.#core, this.#watch.estimate, { now: Date.now(), since })
      : undefined;
  }

  async fairness(): Promise<{ report: FairnessReport; published: boolean } | undefined> {
    if (!(await this.#open())) return undefined;
    const now = Date.now();
    // It walks all rows, and anybody may ask for a published one.
    if (!this.#fairness || now - Date.parse(this.#fairness.at) > FAIRNESS_AGE_MS)
      this.#fairness = await fairnessOf(this.#core, this.#watch.estimate, now);
    const report = this.#fairness;
    return { report, published: this.#core.state.settings.publishFairness === true };
  }

  /** Whether it may go; {@link end} then removes it. */
  async retire(): Promise<Verdict<null>> {
    if (!(await this.#open())) return { ok: false, code: "unknown_event" };
    return await retireRoom(this.#core);
  }

  /** Removes all that the object holds; it is made anew if anybody asks for it again. */
  async end(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.ctx.abort("the rehearsal is over");
  }

  async log(page: { before: number; limit: number }): Promise<LogReply | undefined> {
    if (!(await this.#open())) return undefined;
    const entries = this.#core.ledger.auditPage(page.before, page.limit);
    return { event: this.#core.state.event, entries };
  }

  async report(report: CapacityReport): Promise<boolean> {
    if (!(await this.#open())) return false;
    takeReport(this.#core, report, Date.now());
    return true;
  }

  /** A Worker has asked the verifier of challenges and had no answer. */
  async verifierAway(until: number): Promise<void> {
    if (await this.#open()) noteVerifierAway(this.#core, until, Date.now());
  }

  async evidence(index: number | undefined): Promise<Evidence | undefined> {
    if (!(await this.#open())) return undefined;
    const core = this.#core;
    if (index === undefined) return evidenceOf(core, undefined);
    return evidenceOf(core, proofOf(core, index));
  }

  /** A Door has arrivals in its journal. */
  async journalWaits(from: { epoch: number; door: number }): Promise<void> {
    if (!(await this.#open()) || this.#core.state.epoch !== from.epoch) return;
    this.#core.state.journalsPending = true;
    if ((await this.ctx.storage.getAlarm()) === null) await this.#setAlarm(BEAT_MS);
  }

  /** For `/readyz`: whether Redis answers. */
  async ping(): Promise<{ ok: boolean; detail: string }> {
    if (!(await this.#open())) return { ok: true, detail: "no room" };
    const pong = await this.#core.line.ping();
    if (pong.state === "away") return { ok: false, detail: `${pong.reason}: ${pong.detail}` };
    return { ok: true, detail: this.#core.trouble ?? pong.server };
  }

  override async alarm(): Promise<void> {
    // The next alarm first: whatever happens below, there is a next beat.
    await this.#setAlarm(this.#pauseMs());
    try {
      if (await this.#open()) await this.#beat();
    } catch (error) {
      log("room.beat_failed", { error: error instanceof Error ? error.stack : String(error) });
    }
    const pauseMs = this.#pauseMs();
    if (pauseMs < BEAT_MS) await this.#setAlarm(pauseMs);
  }

  async #open(): Promise<boolean> {
    if (!this.#core.exists) return false;
    this.#core.configure(await readConfig(this.env));
    return true;
  }

  async #beat(): Promise<void> {
    if (this.#superseded) return;
    if (this.#beating && Date.now() - this.#beating.at < BEAT_MS_MAX) return;
    const done = runBeat(this.#core, this.#watch);
    const beating = { done, at: Date.now() };
    this.#beating = beating;
    try {
      if ((await done) === "stale") this.#superseded = true;
    } finally {
      if (this.#beating === beating) this.#beating = undefined;
    }
    await this.#deliver();
  }

  /** A change bites with the next tick: now, or right behind the one that runs. */
  async #beatNow(): Promise<void> {
    try {
      await this.#beating?.done.catch(() => undefined);
      await this.#beat();
    } catch (error) {
      log("room.beat_failed", { error: String(error) });
    }
    await this.#setAlarm(BEAT_MS);
  }

  async #deliver(): Promise<void> {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      await deliverClosings(this.#core);
    } finally {
      this.#delivering = false;
    }
  }

  #pauseMs(): number {
    if (!this.#core.exists) return IDLE_MS;
    const { state } = this.#core;
    const now = Date.now();
    const early =
      state.phase === "upcoming" &&
      opensAtOf(state) - now > IDLE_AHEAD_MS &&
      (state.counts?.pool ?? 0) === 0 &&
      state.serving;
    const over = state.phase === "closed" && now - (state.closedAt ?? now) > CLOSED_BEATS_MS;
    const toChange = msToNextChange(state, now);
    if (early || over) return Math.max(BEAT_MS, Math.min(IDLE_MS, toChange));
    const drawnAt = state.draw.revealedAt;
    if (state.phase === "open" && drawnAt !== undefined && now - drawnAt < FIRST_SECONDS_MS)
      return FIRST_BEAT_MS;
    // The opening is at its time, not at the beat after it.
    const toOpening = state.phase === "upcoming" ? opensAtOf(state) - now : 0;
    return toOpening > 0 ? Math.min(BEAT_MS, toOpening) : BEAT_MS;
  }

  async #setAlarm(inMs: number): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + inMs);
  }
}
