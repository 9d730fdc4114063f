// Bugs planted in copies of the line's scripts, and in what a Room does, must be found.
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptTexts } from "../../edge/line/types.ts";
import { newFan, openRig, type Rig } from "../edge/line/rig.ts";
import { claimRedis } from "../support/redis.ts";
import { findBroken } from "./check.ts";
import { History } from "./history.ts";
import { readLine } from "./line-facts.ts";
import { plantInScript } from "./plant.ts";

const RULES = { ratePerMinute: 30, activeMax: 500 };
const FANS = 70;
let rig: Rig;
let url = "";
const history = new History();
afterEach(() => {
  rig.close();
  history.notes.length = 0;
});

async function begin(scripts?: ScriptTexts): Promise<void> {
  ({ url } = await claimRedis());
  rig = await openRig({ url, settings: { ...RULES }, ...(scripts ? { scripts } : {}) });
}

const look = async (): Promise<string[]> => {
  const facts = await readLine({ url, event: rig.event, epoch: rig.fence.epoch });
  const line = { facts, rules: RULES };
  return (await findBroken({ line, notes: history.notes })).map(({ what }) => what);
};

/** Everybody comes and stays; a tick each second, for so many seconds. */
async function play(seconds: number): Promise<void> {
  const fans = Array.from({ length: FANS }, (_, n) => newFan(`fan-${n}`));
  for (const fan of fans) {
    const joined = await rig.join(fan);
    if (joined.state !== "numbered") throw new Error(joined.state);
    history.note({
      who: fan.place,
      op: "join",
      outcome: 201,
      place: fan.place,
      number: joined.number,
    });
  }
  const inside = new Set<string>();
  for (let second = 0; second < seconds; second += 1) {
    await rig.pass(1_000, { advance: second === 0 ? FANS : 0 });
    for (const fan of fans) {
      if (inside.has(fan.place)) continue;
      const turn = await rig.turn(fan);
      if (turn.state === "admitted") inside.add(fan.place);
    }
  }
}

describe("with no bug planted", () => {
  it("nothing is broken after more than a minute of admissions", async () => {
    await begin();
    await play(70);
    expect(await look()).toEqual([]);
  });
});

describe("a planted bug is found", () => {
  it("a rate that counts by fixed windows", async () => {
    // Whatever fits in the present minute of the clock is let in, however much the last one had; and
    // calls come as fast as claims may.
    const texts = plantInScript("turn", [
      "call('ZREMRANGEBYSCORE', PASSES, '-inf', digits(now - WINDOW_MS))",
      "call('ZREMRANGEBYSCORE', PASSES, '-inf', digits(now - now % WINDOW_MS))",
    ]);
    const tick = plantInScript("tick", [
      "m.bucket = math.min(m.bucket, math.max(cap, m.rate))",
      "m.bucket = 1000",
    ]).tick;
    await begin({ ...texts, tick });
    while (rig.now % 60_000 < 50_000) await rig.pass(1_000);
    await play(20);
    expect(await look()).toContainEqual(expect.stringMatching(/^\d+ admissions in the minute/));
  });

  it("numbers that begin again at one after a loss", async () => {
    await begin(
      plantInScript("refill", [
        "local last = (b.fresh or not drawn) and highest(4, 0) or highest(4, reserved.number)",
        "local last = highest(4, 0)",
      ]),
    );
    await play(2);
    const { Redis } = await import("ioredis");
    const client = new Redis(url);
    await client.flushdb();
    client.disconnect();
    await rig.restore();
    await rig.pass(1_000);
    const late = newFan("late");
    const joined = await rig.join(late);
    if (joined.state === "numbered")
      history.note({
        who: late.place,
        op: "join",
        outcome: 201,
        place: late.place,
        number: joined.number,
      });
    expect(await look()).toContainEqual(expect.stringMatching(/^number 1 was given to fan-0/));
  });
});
