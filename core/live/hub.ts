import { Refusal } from "../../shared/errors.ts";
import type { Clock, Log } from "../context.ts";
import type { Db } from "../db/db.ts";
import type { LiveListener, LiveMessage, Subscription } from "./live.ts";
import { isEvent, readChanges } from "./queries.ts";
import { createState, type EventState } from "./state.ts";

/**
 * One event's listeners in this process, and one loop that serves them all. There is no timer per
 * listener, and none at all without listeners.
 */

/** Announcements that arrive together are read together. */
const DEBOUNCE_MS = 100;
/** Without an announcement, because Redis is away or because nobody could announce. */
const POLL_MS = 2_000;

export type HubTools = { db: Db; clock: Clock; log: Log };

export type Hub = {
  subscribe(listener: LiveListener, since: number | undefined): Promise<Subscription>;
  /** Something may have changed: look soon. */
  nudge(): void;
  size(): number;
  close(): void;
};

export function createHub(event: string, tools: HubTools, onEmpty: () => void): Hub {
  const listeners = new Set<LiveListener>();
  let state: Promise<EventState> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let nudged = false;
  let reading = false;
  let closed = false;

  /** Of an event that is not there nothing can be told, now or later. */
  const load = async () => {
    if (!(await isEvent(tools.db, event))) throw new Refusal("unknown_event");
    const fresh = createState(event);
    fresh.load(await readChanges(tools.db, { event, above: 0 }), tools.clock.now());
    return fresh;
  };

  const schedule = (ms: number) => {
    clearTimeout(timer);
    timer = closed || listeners.size === 0 ? undefined : setTimeout(look, ms);
  };

  const look = async () => {
    reading = true;
    nudged = false;
    try {
      const known = await (state ?? load());
      const now = tools.clock.now();
      const facts = await readChanges(tools.db, { event, above: known.readAbove(now) });
      const delta = known.advance(facts, now);
      if (delta) tell({ kind: "delta", delta });
    } catch (error) {
      tools.log.warn({ event, err: error }, "live changes could not be read");
    } finally {
      reading = false;
      schedule(nudged ? DEBOUNCE_MS : POLL_MS);
    }
  };

  const tell = (message: LiveMessage) => {
    for (const listener of [...listeners]) listener(message);
  };

  const leave = (listener: LiveListener) => {
    if (!listeners.delete(listener) || listeners.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
    state = undefined;
    onEmpty();
  };

  return {
    async subscribe(listener, since) {
      listeners.add(listener);
      state ??= load();
      const mine = state;
      try {
        const known = await mine;
        const missed = since === undefined ? undefined : known.since(since);
        if (missed) for (const delta of missed) listener({ kind: "delta", delta });
        else listener({ kind: "snapshot", version: known.version() });
      } catch (error) {
        if (state === mine) state = undefined;
        leave(listener);
        throw error;
      }
      if (timer === undefined && !reading) schedule(POLL_MS);
      return { close: () => leave(listener) };
    },
    nudge() {
      if (nudged || listeners.size === 0) return;
      nudged = true;
      if (!reading) schedule(DEBOUNCE_MS);
    },
    size: () => listeners.size,
    close() {
      closed = true;
      clearTimeout(timer);
      tell({ kind: "end" });
      listeners.clear();
    },
  };
}
