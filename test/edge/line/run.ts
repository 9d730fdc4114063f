// Carries out random steps against the real scripts and checks, after each, what must hold.

import type { Cluster, Redis } from "ioredis";
import { expect } from "vitest";
import { KEY_NAMES, lineKey } from "../../../edge/line/keys.ts";
import { Watch } from "./invariants.ts";
import { type Fan, newFan, openRig, type Rig } from "./rig.ts";
import { FANS, type Step } from "./steps.ts";

const STALL_MS = 5_000;

/** Runs random steps against the scripts and checks what must hold after each. */
class Run {
  readonly rig: Rig;
  readonly redis: Redis | Cluster;
  readonly watch = new Watch();
  readonly fans: Fan[];
  #lost = false;
  #stopped = false;
  #uploaded = false;
  #tickedAt = 0;
  #snapshot = new Map<string, Buffer>();
  /** Phase and limits that the scripts go by: those of the last tick that was carried out. */
  #admitting = true;
  #active = 0;
  #activeHighest = 0;

  constructor(rig: Rig, redis: Redis | Cluster) {
    this.rig = rig;
    this.redis = redis;
    this.fans = Array.from({ length: FANS }, (_, i) => newFan(`${rig.event}p${i}`));
    this.watch.rates.set(rig.settings.ratePerMinute, rig.now);
    this.#active = rig.settings.activeMax;
    this.#activeHighest = this.#active;
    this.#tickedAt = rig.now;
  }

  fan(i: number): Fan {
    const found = this.fans[i % FANS];
    if (!found) throw new Error("no such fan");
    return found;
  }

  keys(): string[] {
    return KEY_NAMES.map((name) => lineKey({ prefix: "", event: this.rig.event }, 1, name));
  }

  key(name: (typeof KEY_NAMES)[number]): string {
    return lineKey({ prefix: "", event: this.rig.event }, 1, name);
  }

  async tick(ms: number, advance: number, lost: boolean): Promise<void> {
    const { rig } = this;
    rig.now += ms;
    this.watch.rates.set(rig.settings.ratePerMinute, rig.now);
    const result = await rig.room.tick(rig.fence, rig.tickInput({ advance }));
    if (result.state !== "ticked") throw new Error(`tick answered ${JSON.stringify(result)}`);
    this.#tickedAt = rig.now;
    this.#admitting = rig.settings.phase === "open" && !rig.settings.hold;
    this.#active = rig.settings.activeMax;
    this.#activeHighest = Math.max(this.#activeHighest, this.#active);
    if (!this.#admitting) expect(result.popped).toBe(0);
    if (result.popped > 0) expect(result.counts.inside).toBeLessThanOrEqual(this.#active);
    if (!this.#lost) expect(result.counts.unreturned).toBe(0);
    const [front] = await this.redis.zrange(this.key("DOOR"), "0", "0");
    if (front && result.popped > 0) {
      const score = Number(await this.redis.zscore(this.key("DOOR"), front));
      const newest = result.rows.slice(-result.popped).map((row) => row.number);
      expect(Math.max(...newest)).toBeLessThan(score);
    }
    if (lost) return;
    rig.store(result);
    this.watch.tick(result);
  }

  async turn(who: Fan, hidden: boolean): Promise<void> {
    const result = await this.rig.turn(who, hidden);
    const asleep = this.rig.now - this.#tickedAt > STALL_MS;
    this.watch.turn(who, result, this.#admitting && !asleep);
    // Nobody may be inside beyond the highest cap that was set, counted from what fans were told. (After a
    // stop the core knows, not the fan.)
    if (this.#stopped) return;
    const until = [...this.rig.doorRows.values()].filter(
      (row) => (row.kind === "claimed" || row.kind === "left") && row.until > this.rig.now,
    );
    expect(until.length).toBeLessThanOrEqual(this.#activeHighest);
  }

  async step(step: Step): Promise<void> {
    const { rig } = this;
    switch (step.do) {
      case "join": {
        const who = this.fan(step.fan);
        this.watch.join(who, await rig.join(who), this.#lost || this.#uploaded);
        return;
      }
      case "turn":
        return await this.turn(this.fan(step.fan), step.hidden);
      case "turns":
        for (let i = 0; i < 12; i += 1) await this.turn(this.fan(step.from + i), false);
        return;
      case "tick":
        return await this.tick(step.ms, step.advance, false);
      case "lostTick":
        return await this.tick(step.ms, step.advance, true);
      case "quiet":
        for (let i = 0; i < step.ticks; i += 1) await this.tick(4_000, 0, false);
        return;
      case "sleep":
        rig.now += step.ms;
        return;
      case "rush":
        for (let i = 0; i < step.ticks; i += 1) {
          await this.tick(1_000, 6, false);
          for (const who of this.fans) await this.turn(who, false);
        }
        return;
      case "leaveInside": {
        const inside = [...rig.doorRows.values()].filter((row) => row.kind === "claimed");
        const who = this.fans.find((one) => one.place === inside[step.nth]?.place);
        if (who && (await rig.leave(who)).state === "left") this.watch.sawGone(who);
        return;
      }
      case "arrivals":
        this.#uploaded = true;
        await rig.room.arrivals(rig.fence, {
          gen: rig.gen,
          arrivals: [0, 1, 2].map((i) => ({
            place: this.fan(step.from + i).place,
            at: rig.now - 3 + i,
          })),
        });
        return;
      case "release":
        await rig.release(this.fan(step.fan));
        return;
      case "leave": {
        const who = this.fan(step.fan);
        if ((await rig.leave(who)).state === "left") this.watch.sawGone(who);
        return;
      }
      case "extend": {
        const who = this.fan(step.fan);
        const before = rig.doorRows.get(who.place)?.until ?? 0;
        const result = await rig.extend(who, rig.now + step.ms);
        if (result.state === "extended") expect(result.until).toBeGreaterThanOrEqual(before);
        return;
      }
      case "byHand":
        await this.redis.zrem(this.key("DOOR"), this.fan(step.fan).place);
        return;
      case "oldTick": {
        const before = await rig.room.figures(rig.fence);
        const result = await rig.room.tick(
          rig.fence,
          rig.tickInput({ gen: rig.gen - 1, advance: 5 }),
        );
        expect(result.state).toBe("stale");
        expect(await rig.room.figures(rig.fence)).toEqual(before);
        return;
      }
      case "oldSettings": {
        const old = { ...rig.settings, version: rig.settings.version - 1, phase: "open" as const };
        const wasAdmitting = rig.settings.phase === "open" && !rig.settings.hold;
        this.#tickedAt = rig.now;
        const result = await rig.tick({
          settings: { ...old, hold: false, ratePerMinute: 6_000, activeMax: 100 },
        });
        if (!wasAdmitting) expect(result.popped).toBe(0);
        this.#admitting = wasAdmitting;
        this.watch.tick(result);
        return;
      }
      case "newRoom":
        rig.gen += 1;
        return await this.tick(0, 0, false);
      case "pause":
        return await this.settle({ phase: "paused" });
      case "stop":
        this.#stopped = true;
        return await this.settle({ phase: "paused", endInside: true });
      case "resume":
        return await this.settle({ phase: "open", hold: false, endInside: false });
      case "hold":
        return await this.settle({ hold: true });
      case "rate":
        return await this.settle({ ratePerMinute: step.rate });
      case "active":
        return await this.settle({ activeMax: step.active });
      case "snapshot":
        return await this.snapshot();
      case "wipe":
        await this.redis.del(...this.keys());
        return await this.lose();
      case "rollback":
        await this.redis.del(...this.keys());
        for (const [key, dump] of this.#snapshot)
          await this.redis.call("RESTORE", key, "0", dump, "REPLACE");
        if (this.#snapshot.size > 0) await this.redis.hset(this.key("META"), "server", "another");
        return await this.lose();
    }
  }

  /** A change bites with the tick that carries it. */
  async settle(change: Parameters<Rig["change"]>[0]): Promise<void> {
    this.rig.change(change);
    await this.tick(10, 0, false);
  }

  async snapshot(): Promise<void> {
    this.#snapshot = new Map();
    for (const key of this.keys()) {
      const dump = await this.redis.dumpBuffer(key);
      if (dump) this.#snapshot.set(key, dump);
    }
  }

  async lose(): Promise<void> {
    const { rig } = this;
    this.#lost = true;
    const who = this.fan(0);
    expect((await rig.turn(who)).state).toBe("away");
    expect((await rig.join(who)).state).toBe("away");
    expect((await rig.tryTick()).state).toBe("away");
    rig.now += 700;
    await rig.restore();
    this.watch.rates.set(rig.settings.ratePerMinute, rig.now);
    // Until the first tick, which carries what was decided meanwhile.
    this.#admitting = false;
  }
}

export async function runSteps(
  redis: Redis | Cluster,
  url: string,
  steps: readonly Step[],
): Promise<void> {
  const rig = await openRig({ url, settings: { ratePerMinute: 30, activeMax: 5 } });
  const run = new Run(rig, redis);
  try {
    for (const one of run.fans.slice(0, 12)) run.watch.join(one, await rig.join(one), false);
    for (const step of steps) await run.step(step);
    await run.step({ do: "rush", ticks: 1 });
    run.watch.order();
    const { rig: after } = run;
    const figures = await after.room.figures(after.fence);
    if (figures.state !== "figures") throw new Error("no figures");
    run.watch.counts(figures.counts);
    expect(figures.counts.waiting - figures.counts.pool).toBe(await redis.zcard(run.key("LINE")));
    expect(figures.counts.inside).toBe(await redis.zcard(run.key("INSIDE")));
  } finally {
    await rig.room.unlinkEpoch(1);
    rig.close();
  }
}
