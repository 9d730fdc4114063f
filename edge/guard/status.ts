import type { Phase } from "../../shared/contract/queue.ts";
import { Refusal } from "../../shared/errors.ts";
import type { Env, GateConfig } from "../env.ts";
import { Fresh } from "../http/fresh.ts";
import { answerWithin } from "../http/within.ts";
import type { RoomEntry } from "../room/directory.ts";
import { type KeepAlive, roomObject } from "./rooms.ts";

/**
 * The shared document, from memory while it is young, then from the edge's cache, then from the Room:
 * an isolate asks the Room at most once a second, however many wait. The key is the path alone.
 */
const STATUS_AGE_MS = 1_000;
/** A Room that hangs must not take the document with it: after so long the last one is shown, as stale. */
const ROOM_ANSWER_MS = 3_000;

export type StatusText = { text: string; phase: Phase };

const views = new WeakMap<Env, Map<string, Fresh<StatusText>>>();

export async function readStatus(
  env: Env,
  config: GateConfig,
  more: { room: RoomEntry; now: number; keepAlive: KeepAlive },
): Promise<StatusText> {
  const { room, now, keepAlive } = more;
  const byEvent = views.get(env) ?? new Map<string, Fresh<StatusText>>();
  views.set(env, byEvent);
  // Only rooms that exist get here, so the map is bounded by the Directory.
  const view = byEvent.get(room.event) ?? new Fresh<StatusText>(STATUS_AGE_MS);
  byEvent.set(room.event, view);
  try {
    return await view.get(now, {
      keepAlive,
      load: () => load(env, config, { event: room.event, keepAlive }),
    });
  } catch (error) {
    // The Room cannot be asked: the last that was known, and said to be so.
    if (view.last === undefined) throw error;
    return { ...view.last, text: view.last.text.replace('"stale":false', '"stale":true') };
  }
}

async function load(
  env: Env,
  config: GateConfig,
  more: { event: string; keepAlive: KeepAlive },
): Promise<StatusText> {
  const key = `${config.edgeOrigin}/api/queue/${more.event}/status`;
  const cached = await fromCache(key);
  if (cached !== undefined) return withPhase(cached);
  const text = await answerWithin(roomObject(env, config, more.event).status(), ROOM_ANSWER_MS);
  if (text === undefined) throw new Refusal("unknown_event");
  more.keepAlive(toCache(key, text));
  return withPhase(text);
}

const withPhase = (text: string): StatusText => ({
  text,
  phase: (JSON.parse(text) as { phase: Phase }).phase,
});

/** Where the runtime has no cache (bare workerd) the isolate's memory is all there is. */
async function fromCache(key: string): Promise<string | undefined> {
  try {
    const hit = await caches.default.match(key);
    return hit?.ok ? await hit.text() : undefined;
  } catch {
    return undefined;
  }
}

async function toCache(key: string, text: string): Promise<void> {
  try {
    const headers = { "content-type": "application/json", "cache-control": "public, max-age=1" };
    await caches.default.put(key, new Response(text, { headers }));
  } catch {
    // The same: nothing is lost but a look at the Room.
  }
}

/** What an organizer has just changed is seen by this isolate at once. */
export const forgetStatus = (env: Env, event: string): void => {
  views.get(env)?.get(event)?.forget();
};
