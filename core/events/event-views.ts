import type { EventView } from "../../shared/contract/events.ts";
import type { Clock } from "../context.ts";
import type { Db } from "../db/db.ts";
import { listEvents, readEvent } from "./read-events.ts";

/**
 * What the public reads of events, kept in the process for a moment: however many ask, the database
 * is asked once a second. A change made at this process is seen at once, at another within that time.
 */
export const EVENT_VIEW_MS = 1_000;
const EVENTS_MAX = 1_000;

type Kept<Value> = { value: Promise<Value>; untilMs: number };

export function createEventViews(deps: { db: Db; clock: Clock }) {
  const views = new Map<string, Kept<EventView>>();
  let list: Kept<EventView[]> | undefined;
  const untilMs = () => deps.clock.now() + EVENT_VIEW_MS;

  return {
    list(): Promise<EventView[]> {
      if (list && list.untilMs > deps.clock.now()) return list.value;
      const fresh = { value: listEvents(deps), untilMs: untilMs() };
      list = fresh;
      // What failed is asked again by the next one.
      fresh.value.catch(() => {
        if (list === fresh) list = undefined;
      });
      return fresh.value;
    },
    /** @throws `unknown_event`, which is not kept: an event may be made the next moment. */
    read(event: string): Promise<EventView> {
      const kept = views.get(event);
      if (kept && kept.untilMs > deps.clock.now()) return kept.value;
      if (views.size >= EVENTS_MAX) views.clear();
      const fresh = { value: readEvent(deps, { event }), untilMs: untilMs() };
      views.set(event, fresh);
      fresh.value.catch(() => {
        if (views.get(event) === fresh) views.delete(event);
      });
      return fresh.value;
    },
    /** Something about this event was changed here. */
    forget(event: string): void {
      views.delete(event);
      list = undefined;
    },
  };
}

export type EventViews = ReturnType<typeof createEventViews>;
