import type { Redis as IoRedis } from "ioredis";
import type { Log } from "../context.ts";
import type { RedisSide } from "../redis/redis.ts";
import type { Subscription } from "./live.ts";

/**
 * Who waits for what becomes of an order, in this process, and the word that something did. The word
 * comes from the outbox, at whichever process handles it, and goes round by Redis. Without Redis only
 * the pages of that very process hear it; the others find it out by asking, as they do anyway.
 */

export type OrderListener = (what: "changed" | "end") => void;

export type OrderWatch = {
  tell(order: string): void;
  watch(order: string, listener: OrderListener): Subscription;
  listeners(): number;
  close(): void;
};

export function createOrderWatch(options: { cache: RedisSide; log: Log }): OrderWatch {
  const { cache, log } = options;
  const waiting = new Map<string, Set<OrderListener>>();
  const channel = `${cache.prefix}live:orders`;
  let subscriber: IoRedis | undefined;

  const tellHere = (order: string, what: "changed" | "end") => {
    for (const listener of [...(waiting.get(order) ?? [])]) listener(what);
  };

  const listen = () => {
    if (subscriber) return;
    subscriber = cache.duplicate();
    subscriber.on("message", (_channel, order) => tellHere(order, "changed"));
    subscriber.on("ready", () => {
      subscriber?.subscribe(channel).then(
        () => {
          // What was told while we were away is not repeated: everybody looks once.
          for (const order of waiting.keys()) tellHere(order, "changed");
        },
        (error: Error) => log.warn({ reason: error.message }, "order pages fall back to asking"),
      );
    });
  };

  return {
    tell(order) {
      tellHere(order, "changed");
      void cache.attempt((client) => client.publish(channel, order));
    },
    watch(order, listener) {
      listen();
      const listeners = waiting.get(order) ?? new Set();
      waiting.set(order, listeners.add(listener));
      return {
        close() {
          listeners.delete(listener);
          if (listeners.size === 0 && waiting.get(order) === listeners) waiting.delete(order);
        },
      };
    },
    listeners: () => [...waiting.values()].reduce((sum, { size }) => sum + size, 0),
    close() {
      for (const order of [...waiting.keys()]) tellHere(order, "end");
      waiting.clear();
      subscriber?.disconnect();
    },
  };
}
