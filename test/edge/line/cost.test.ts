import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lineKey } from "../../../edge/line/keys.ts";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { newFan, openRig, type Rig } from "./rig.ts";

let server: RunningRedis;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis({
    args: ["--slowlog-log-slower-than", "0", "--slowlog-max-len", "1000"],
  });
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const CROWD_LUA = `for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  redis.call('ZADD', KEYS[1], i, string.format('%032x', i))
end`;

async function crowd(rig: Rig, size: number): Promise<void> {
  const line = lineKey({ prefix: "", event: rig.event }, 1, "LINE");
  for (let from = 1; from <= size; from += 50_000) {
    await redis.eval(CROWD_LUA, 1, line, from, Math.min(size, from + 49_999));
  }
  await redis.hset(lineKey({ prefix: "", event: rig.event }, 1, "META"), "last", size);
}

/** What Redis itself measured for the scripts since the last call, microseconds: the median of them. */
async function scriptMicros(): Promise<number> {
  const log = (await redis.call("SLOWLOG", "GET", "1000")) as [number, number, number, string[]][];
  const times = log.filter(([, , , args]) => args[0] === "evalsha").map(([, , micros]) => micros);
  await redis.call("SLOWLOG", "RESET");
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

describe("the cost of a tick", () => {
  it("does not grow with the number of people who wait", async () => {
    const measured: Record<number, { quiet: number; popping: number }> = {};
    for (const size of [1_000, 1_000_000]) {
      const rig = await openRig({
        url: server.url,
        settings: { ratePerMinute: 12_000, activeMax: 100_000 },
      });
      await crowd(rig, size);
      await rig.tick();
      await redis.call("SLOWLOG", "RESET");
      for (let i = 0; i < 25; i += 1) await rig.pass(1_000);
      const quiet = await scriptMicros();
      await rig.tick({ advance: 1_000 });
      const called = Array.from({ length: 1_000 }, (_, i) =>
        newFan((i + 1).toString(16).padStart(32, "0")),
      );
      await Promise.all(called.map((fan, i) => rig.turn({ ...fan, number: i + 1 })));
      await redis.call("SLOWLOG", "RESET");
      let popped = 0;
      for (let i = 0; i < 4; i += 1) popped += (await rig.pass(1_000)).popped;
      expect(popped).toBe(800);
      measured[size] = { quiet, popping: await scriptMicros() };
      await rig.room.unlinkEpoch(1);
      rig.close();
    }
    const [small, large] = [measured[1_000], measured[1_000_000]];
    if (!small || !large) throw new Error("nothing measured");
    console.log("tick, microseconds of Redis time, at 1,000 and 1,000,000 waiting:", small, large);
    expect(large.quiet).toBeLessThan(small.quiet * 10);
    expect(large.popping).toBeLessThan(small.popping * 10);
  });
});
