import type { Redis as IoRedis } from "ioredis";
import type { Clock, Log } from "../context.ts";
import type { Db } from "../db/db.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RedisSide } from "../redis/redis.ts";
import { createHub, type Hub } from "./hub.ts";
import type { Live } from "./live.ts";
import { createOrderWatch } from "./order-watch.ts";

type LiveOptions = { db: Db; cache: RedisSide; clock: Clock; log: Log; metrics: Metrics };

/** An event is announced at most so often by one process, however many seats change. */
const ANNOUNCE_MS = 50;

export function createLive(options: LiveOptions): Live {
  const { cache, log } = options;
  const hubs = new Map<string, Hub>();
  const announced = new Map<string, NodeJS.Timeout>();
  const channel = `${cache.prefix}live`;
  const orders = createOrderWatch(options);
  let subscriber: IoRedis | undefined;

  const nudge = (event: string) => hubs.get(event)?.nudge();

  /** Made with the first listener; ioredis subscribes again by itself after a reconnect. */
  const listen = () => {
    if (subscriber) return;
    subscriber = cache.duplicate();
    subscriber.on("message", (_channel, event) => nudge(event));
    subscriber.on("ready", () => {
      // What was announced while we were away is not repeated: look at everything once.
      subscriber?.subscribe(channel).then(
        () => {
          for (const hub of hubs.values()) hub.nudge();
        },
        (error: Error) => log.warn({ reason: error.message }, "live updates fall back to polling"),
      );
    });
  };

  const hubOf = (event: string): Hub => {
    const found = hubs.get(event);
    if (found) return found;
    const made: Hub = createHub(event, options, () => {
      if (hubs.get(event) === made) hubs.delete(event);
    });
    hubs.set(event, made);
    return made;
  };

  const listeners = () => [...hubs.values()].reduce((sum, hub) => sum + hub.size(), 0);
  options.metrics.gauge("sira_live_listeners", "Open live streams.", [], (gauge) =>
    gauge.set(listeners() + orders.listeners()),
  );

  return {
    publish({ event }) {
      if (announced.has(event)) return;
      announced.set(
        event,
        setTimeout(() => {
          announced.delete(event);
          nudge(event);
          void cache.attempt((client) => client.publish(channel, event));
        }, ANNOUNCE_MS),
      );
    },
    subscribe(event, listener, since) {
      listen();
      return hubOf(event).subscribe(listener, since);
    },
    listeners,
    tellOrder: orders.tell,
    watchOrder: orders.watch,
    orderListeners: orders.listeners,
    async close() {
      orders.close();
      for (const timer of announced.values()) clearTimeout(timer);
      for (const hub of hubs.values()) hub.close();
      hubs.clear();
      subscriber?.disconnect();
    },
  };
}
