import { Refusal } from "../../shared/errors.ts";
import type { KeyFinder } from "../../shared/token/verify.ts";
import type { Log } from "../context.ts";

const KEYS_KEPT_MAX = 64;

/**
 * Keys of the gate outlive a gate that cannot be reached: people who were admitted go on shopping.
 * Only a `kid` never seen before is answered with 503 while its set cannot be fetched, since calling
 * the token invalid would be a guess.
 */
export function lastingKeys(find: KeyFinder, log: Log): KeyFinder {
  const kept = new Map<string, NonNullable<Awaited<ReturnType<KeyFinder>>>>();
  return async (kid, use) => {
    const name = `${use}\n${kid}`;
    try {
      const key = await find(kid, use);
      if (key === undefined) kept.delete(name);
      else if (kept.size < KEYS_KEPT_MAX) kept.set(name, key);
      return key;
    } catch (error) {
      log.warn({ err: error }, "the gate's keys could not be fetched");
      const known = kept.get(name);
      if (known) return known;
      throw new Refusal("unavailable", { reason: "the gate's keys could not be fetched" });
    }
  };
}
