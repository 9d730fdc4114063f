import { readStream, tellPresence } from "./calls.ts";
import type { Delta } from "./house/house.ts";
import { hearOfChange, lookAtSeats, type Visit } from "./visit.ts";

/**
 * Keeps the plan fresh: by the core's live stream, and by asking every few seconds while there is
 * none. Even beside a good stream the whole map is looked at now and then, since a page must not
 * build for ten minutes on a message that it may have missed.
 */

const POLL_MS = 4_000;
const CHECK_MS = 30_000;
const RECONNECT_MS = 20_000;
const CATCH_UP_MS = 800;
const CATCH_UPS_MAX = 5;

const spread = (ms: number) => ms * (0.8 + 0.4 * Math.random());

function readDelta(text: string): Delta | undefined {
  try {
    const data: Delta = JSON.parse(text);
    return Array.isArray(data.rows) && Array.isArray(data.zones) ? data : undefined;
  } catch {
    // A proxy cut the line short; the next look at the map makes up for it.
    return undefined;
  }
}

/** The map comes from a cache that is up to two seconds old: asked until it is as new as the stream. */
async function catchUp(visit: Visit, version: number): Promise<void> {
  for (let tries = 0; tries < CATCH_UPS_MAX; tries += 1) {
    if ((visit.state.house?.version ?? -1) >= version) return;
    await lookAtSeats(visit);
    await new Promise((resolve) => setTimeout(resolve, CATCH_UP_MS));
  }
}

/** @returns what ends it. */
export function followSeats(visit: Visit, onLive: (isLive: boolean) => void): () => void {
  let source: EventSource | undefined;
  let polling: ReturnType<typeof setTimeout> | undefined;
  let connecting: ReturnType<typeof setTimeout> | undefined;
  let isLive = false;
  let isOver = false;

  const poll = async () => {
    clearTimeout(polling);
    if (!document.hidden) await lookAtSeats(visit);
    if (!isOver) polling = setTimeout(poll, spread(isLive ? CHECK_MS : POLL_MS));
  };
  const setLive = (value: boolean) => {
    if (isLive === value) return;
    isLive = value;
    onLive(value);
    // Without the stream the next look must not wait for half a minute.
    if (value) return;
    clearTimeout(polling);
    polling = setTimeout(poll, spread(POLL_MS / 2));
  };
  const connect = async () => {
    const { admission } = visit.state;
    const address = admission && (await readStream(visit.id, admission.credential));
    if (isOver) return;
    if (!address) {
      connecting = setTimeout(connect, spread(RECONNECT_MS));
      return;
    }
    const made = new EventSource(address);
    source = made;
    made.addEventListener("snapshot", (event: MessageEvent<string>) => {
      setLive(true);
      const version = Number(/"version":(\d+)/.exec(event.data)?.[1] ?? 0);
      void catchUp(visit, version);
    });
    made.addEventListener("delta", (event: MessageEvent<string>) => {
      setLive(true);
      const delta = readDelta(event.data);
      if (delta) hearOfChange(visit, delta);
    });
    made.addEventListener("error", () => {
      setLive(false);
      // The browser connects again by itself, unless the server has refused it.
      if (made.readyState !== EventSource.CLOSED) return;
      made.close();
      connecting = setTimeout(connect, spread(RECONNECT_MS));
    });
  };
  const onReturn = () => {
    if (!document.hidden) void poll();
  };
  document.addEventListener("visibilitychange", onReturn);
  void poll();
  void connect();
  return () => {
    isOver = true;
    source?.close();
    clearTimeout(polling);
    clearTimeout(connecting);
    document.removeEventListener("visibilitychange", onReturn);
  };
}

const HEARTBEAT_MS = 20_000;
const SETTLE_MS = 1_200;

/** How many look besides this fan. */
const others = (watchers: Readonly<Record<string, number>>, own: string) =>
  Object.fromEntries(
    Object.entries(watchers)
      .map(([section, count]) => [section, section === own ? count - 1 : count] as const)
      .filter(([, count]) => count > 0),
  );

/** Says which block the fan looks at: a moment after it came into sight, and while it stays. */
export function keepPresence(visit: Visit, section: string): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const beat = async () => {
    const { admission } = visit.state;
    if (admission && !document.hidden) {
      const watchers = await tellPresence(visit.id, admission.credential, section);
      if (watchers) visit.tell({ watchers: others(watchers, section) });
    }
    timer = setTimeout(beat, spread(HEARTBEAT_MS));
  };
  timer = setTimeout(beat, SETTLE_MS);
  return () => clearTimeout(timer);
}
