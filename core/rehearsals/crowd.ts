import { setTimeout as sleep } from "node:timers/promises";
import type { RehearsalPlan } from "../../shared/contract/sales.ts";
import type { Deps } from "../context.ts";
import { type FanPlan, runFan } from "./fan.ts";
import { passFor } from "./gate-room.ts";
import type { Tally } from "./tally.ts";

const SHOP_MS_MIN = 1_000;
const SHOP_MS_MAX = 4_000;

/** A fixed share of the crowd, spread over it: of 100 with 30 %, every fan whose turn it is. Pure. */
export const isAmong = (fan: number, percent: number): boolean =>
  Math.floor(((fan + 1) * percent) / 100) > Math.floor((fan * percent) / 100);

/** Lets the crowd arrive, evenly, and ends when all of it has gone or the signal says so. */
export async function runCrowd(
  deps: Pick<Deps, "config" | "keys" | "clock">,
  input: {
    twin: string;
    opensAt: number;
    plan: Omit<RehearsalPlan, "reason">;
    standing: readonly string[];
    hasSeats: boolean;
    signal: AbortSignal;
    tally: Tally;
  },
): Promise<void> {
  const { plan, signal, tally } = input;
  const fans: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let fan = 0; fan < plan.fans && !signal.aborted; fan += 1) {
    const dueAt = startedAt + (fan / plan.fans) * plan.arriveMs;
    await sleep(Math.max(0, dueAt - performance.now()), undefined, { signal }).catch(() => {});
    const one: FanPlan = {
      edge: deps.config.edgeOrigin,
      core: deps.config.origin,
      event: input.twin,
      pass: await passFor(deps, input.twin, fan),
      absent: isAmong(fan, plan.absentPercent),
      buys: isAmong(fan, plan.buyPercent),
      shopMs: SHOP_MS_MIN + Math.random() * (SHOP_MS_MAX - SHOP_MS_MIN),
      opensAt: input.opensAt,
      // The block reserved for benchmarks (RFC 2544).
      address: `198.18.${fan >> 8}.${fan & 255}`,
      serial: fan,
      standing: input.standing,
      hasSeats: input.hasSeats,
      signal,
      tally,
    };
    fans.push(
      runFan(one).catch((error: unknown) => {
        if (!signal.aborted) tally.wrong(error instanceof Error ? error.message : String(error));
      }),
    );
  }
  await Promise.all(fans);
}
