import { Refusal } from "../../shared/errors.ts";
import { assert } from "../../shared/result.ts";
import type { Db } from "../db/db.ts";
import type { Idem, whoOf } from "./request.ts";
import type { Verdict } from "./verdict.ts";

/**
 * One standing zone is one row, and one row takes one change at a time: with 200 clients at it,
 * single updates fall from 3,900 a second to 800. So requests for a zone wait here, in the order they
 * came, while at most a few statements are under way, and go together in the next one. Each is
 * judged by itself and gets its own verdict.
 */
const BATCH_MAX = 50;
/** Per process and zone; four processes make the eight that a row bears well. */
const STATEMENTS_MAX = 2;
const WAITING_MAX = 2_000;

export type ZoneAsk = {
  hold: string;
  who: ReturnType<typeof whoOf>;
  quantity: number;
  addons?: readonly { id: string; variant?: string | undefined; quantity: number }[] | undefined;
  idem: Idem | null;
};

type Waiting = {
  ask: ZoneAsk;
  settle: (verdict: Verdict) => void;
  fail: (error: unknown) => void;
};

export type ZoneCombiner = {
  hold(input: { event: string; zone: string; ask: ZoneAsk }): Promise<Verdict>;
};

/** Pure: who goes together. In order of arrival; one request per account, add-ons always alone. */
export function takeBatch<Item extends { ask: ZoneAsk }>(
  waiting: readonly Item[],
): { batch: Item[]; rest: Item[] } {
  const first = waiting[0];
  if (first?.ask.addons?.length) return { batch: [first], rest: waiting.slice(1) };
  const batch: Item[] = [];
  const rest: Item[] = [];
  const accounts = new Set<string>();
  for (const item of waiting) {
    const { ask } = item;
    const fits = batch.length < BATCH_MAX && !accounts.has(ask.who.account) && !ask.addons?.length;
    if (fits) accounts.add(ask.who.account);
    (fits ? batch : rest).push(item);
  }
  return { batch, rest };
}

export function createZoneCombiner(db: Db): ZoneCombiner {
  const queues = new Map<string, { waiting: Waiting[]; running: number }>();

  const ask = async (event: string, zone: string, asks: readonly ZoneAsk[]): Promise<Verdict[]> => {
    const verdicts = await db.call<Verdict[]>("hold_zone_batch", [
      event,
      zone,
      JSON.stringify(asks),
    ]);
    assert(verdicts.length === asks.length, "each request of a batch has a verdict");
    return verdicts;
  };

  /** A batch that failed as a whole says nothing about its members: each is run by itself. */
  const runSingly = async (event: string, zone: string, batch: readonly Waiting[]) => {
    for (const item of batch) {
      try {
        const [verdict] = await ask(event, zone, [item.ask]);
        assert(verdict, "a batch of one has one verdict");
        item.settle(verdict);
      } catch (error) {
        item.fail(error);
      }
    }
  };

  const run = async (event: string, zone: string, batch: readonly Waiting[]): Promise<void> => {
    try {
      const verdicts = await ask(
        event,
        zone,
        batch.map((item) => item.ask),
      );
      const again: Waiting[] = [];
      for (const [index, item] of batch.entries()) {
        const verdict = verdicts[index];
        assert(verdict, "each request of a batch has a verdict");
        if (verdict.result === "conflict_retry" && batch.length > 1) again.push(item);
        else item.settle(verdict);
      }
      await runSingly(event, zone, again);
    } catch (error) {
      // The database is away or does not answer: more statements would not help.
      const hopeless = error instanceof Refusal && error.code !== "conflict_retry";
      if (hopeless || batch.length === 1) for (const item of batch) item.fail(error);
      else await runSingly(event, zone, batch);
    }
  };

  const pump = (key: string, event: string, zone: string): void => {
    const queue = queues.get(key);
    while (queue && queue.running < STATEMENTS_MAX && queue.waiting.length > 0) {
      const { batch, rest } = takeBatch(queue.waiting);
      queue.waiting = rest;
      queue.running += 1;
      void run(event, zone, batch).finally(() => {
        queue.running -= 1;
        if (queue.running === 0 && queue.waiting.length === 0) queues.delete(key);
        else pump(key, event, zone);
      });
    }
  };

  return {
    hold({ event, zone, ask: wanted }) {
      const key = `${event}\n${zone}`;
      const queue = queues.get(key) ?? { waiting: [], running: 0 };
      queues.set(key, queue);
      if (queue.waiting.length >= WAITING_MAX)
        throw new Refusal("overloaded", {
          reason: "too many wait for one zone",
          headers: { "retry-after": String(1 + Math.floor(Math.random() * 4)) },
        });
      const { promise, resolve, reject } = Promise.withResolvers<Verdict>();
      queue.waiting.push({ ask: wanted, settle: resolve, fail: reject });
      pump(key, event, zone);
      return promise;
    },
  };
}
