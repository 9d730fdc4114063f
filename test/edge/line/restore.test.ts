import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY_NAMES, lineKey } from "../../../edge/line/keys.ts";
import type { Row } from "../../../edge/line/types.ts";
import { type Fan, newFan, openRig, type Rig } from "./rig.ts";
import { type LineServer, openLineServer } from "./server.ts";

let server: LineServer;
let redis: Redis;
beforeAll(async () => {
  server = await openLineServer();
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const key = (rig: Rig, name: (typeof KEY_NAMES)[number]) =>
  lineKey({ prefix: "", event: rig.event }, 1, name);
const wipe = (rig: Rig) => redis.del(...KEY_NAMES.map((name) => key(rig, name)));

/** Joins so many fans, calls them all, and has them come to the door. */
async function crowdAtDoor(rig: Rig, size: number): Promise<Fan[]> {
  const fans = Array.from({ length: size }, (_, i) =>
    newFan(`${rig.event}-${String(i).padStart(3, "0")}`),
  );
  for (const fan of fans) await rig.join(fan);
  await rig.tick({ advance: size });
  for (const fan of fans) await rig.turn(fan);
  return fans;
}

const at = <T>(list: readonly T[], i: number): T => {
  const found = list[i];
  if (found === undefined) throw new Error(`nothing at ${i}`);
  return found;
};

describe("the line after a loss of Redis", () => {
  it("answers nobody until it is refilled, and then with a higher restore counter only", async () => {
    const rig = await openRig({ url: server.url });
    const [fan] = [await crowdAtDoor(rig, 3)].map((fans) => at(fans, 0));
    if (!fan) throw new Error("no fan");
    await wipe(rig);
    expect(await rig.turn(fan)).toMatchObject({ state: "away", reason: "server" });
    const again = await rig.room.refillBegin({ epoch: 1, restore: 2 }, rig.beginOf());
    expect(again.state).toBe("ok");
    rig.fence = { epoch: 1, restore: 2 };
    expect(await rig.turn(fan)).toMatchObject({ state: "away", reason: "filling" });
    expect(await rig.tryTick()).toMatchObject({ state: "away", reason: "filling" });
    expect(await rig.room.refillBegin(rig.fence, rig.beginOf())).toMatchObject({
      state: "away",
      reason: "restore",
    });
    expect(
      await rig.door.join({ epoch: 1, restore: 1 }, { place: "x", receipt: { kind: "none" } }),
    ).toMatchObject({
      state: "away",
      reason: "restore",
    });
    rig.close();
  });

  it("notices old data on the same server by its beat", async () => {
    const rig = await openRig({ url: server.url });
    const fans = await crowdAtDoor(rig, 2);
    const dump = await redis.dumpBuffer(key(rig, "META"));
    await rig.pass(1_000);
    if (!dump) throw new Error("no meta");
    await redis.call("RESTORE", key(rig, "META"), "0", dump, "REPLACE");
    expect(await rig.tryTick()).toMatchObject({ state: "away", reason: "rolled_back" });
    await rig.restore();
    expect((await rig.turn(at(fans, 0))).state).toBe("ready");
    rig.close();
  });

  it("brings back who is inside, who is gone, strikes and the last minute, in any order of rows", async () => {
    const reversed = async (turnedRound: boolean) => {
      const rig = await openRig({
        url: server.url,
        settings: { ratePerMinute: 600, activeMax: 6 },
      });
      const fans = await crowdAtDoor(rig, 12);
      await rig.pass(2_000);
      await rig.turn(at(fans, 0));
      await rig.turn(at(fans, 1));
      await rig.turn(at(fans, 2));
      await rig.release(at(fans, 1));
      await rig.leave(at(fans, 2));
      await rig.leave(at(fans, 11));
      await rig.extend(at(fans, 0), rig.now + 300_000);
      // The other three called ones never come: one strike each.
      for (let i = 0; i < 25; i += 1) await rig.pass(4_000);
      const before = await rig.room.figures(rig.fence);
      await wipe(rig);
      rig.fence = { epoch: 1, restore: 2 };
      const rows: Row[] = [...rig.roomRows.values(), ...rig.doorRows.values()];
      if (turnedRound) rows.reverse();
      await rig.room.refillBegin(rig.fence, rig.beginOf());
      await rig.room.refillRows(rig.fence, { gen: 1, rows: [...rows, ...rows] });
      await rig.room.refillRows(rig.fence, { gen: 1, rows });
      await rig.room.refillEnd(rig.fence, { gen: 1 });
      rig.reserve();
      const after = await rig.pass(100);
      if (before.state !== "figures") throw new Error("no figures");
      expect(after.counts).toMatchObject({
        inside: before.counts.inside,
        finished: before.counts.finished,
        gone: before.counts.gone,
        admitted: before.counts.admitted,
      });
      const slots = (await redis.hgetall(key(rig, "SLOT"))) as Record<string, string>;
      const inside = await redis.zrange(key(rig, "INSIDE"), "0", "-1", "WITHSCORES");
      rig.close();
      return {
        slots: Object.values(slots).sort(),
        inside: inside.map((text) => text.replace(rig.event, "")),
      };
    };
    expect(await reversed(true)).toEqual(await reversed(false));
  });

  it("counts claims of the last minute even when they were released and Redis was wiped", async () => {
    const rig = await openRig({ url: server.url, settings: { ratePerMinute: 4, activeMax: 50 } });
    const fans = await crowdAtDoor(rig, 12);
    let admitted = 0;
    const round = async () => {
      rig.now += 1_000;
      await rig.tick({ advance: 12 });
      for (const fan of fans) {
        const before = rig.doorRows.has(fan.place);
        if ((await rig.turn(fan)).state === "admitted" && !before) {
          admitted += 1;
          await rig.release(fan);
        }
      }
    };
    for (let i = 0; i < 40; i += 1) await round();
    const first = admitted;
    expect(first).toBeGreaterThan(0);
    await wipe(rig);
    await rig.restore();
    for (let i = 0; i < 19; i += 1) await round();
    expect(admitted).toBeLessThanOrEqual(4);
    rig.close();
  });

  it("never gives a number twice and goes on at the ceiling", async () => {
    const rig = await openRig({ url: server.url });
    const fans = await crowdAtDoor(rig, 5);
    await wipe(rig);
    const ceiling = rig.reserved.number;
    await rig.restore();
    await rig.tick();
    const stranger = newFan("stranger");
    expect(await rig.join(stranger)).toMatchObject({ state: "numbered", number: ceiling + 1 });
    for (const fan of fans) {
      expect(await rig.join(fan)).toMatchObject({
        state: "numbered",
        number: fan.number,
        isNew: false,
      });
    }
    const { counts } = await rig.tick();
    expect(counts.unreturned).toBe(ceiling - fans.length);
    expect(counts.waiting).toBe(6);
    rig.close();
  });

  it("lets the signed number win over one that a Redis with old data has given", async () => {
    const rig = await openRig({ url: server.url });
    const fan = newFan("signed");
    await rig.room.arrivals(rig.fence, { gen: 1, arrivals: [{ place: fan.place, at: rig.now }] });
    await rig.tick();
    fan.number = 77;
    expect(await rig.turn(fan)).toMatchObject({ state: "waiting", number: 77 });
    expect(await redis.zscore(key(rig, "LINE"), fan.place)).toBe("77");
    rig.close();
  });

  it("calls by numbers for two minutes after a restore, not a million absent people at once", async () => {
    const rig = await openRig({ url: server.url });
    const fans = await crowdAtDoor(rig, 5);
    await wipe(rig);
    await rig.restore();
    await rig.join(at(fans, 4));
    const calling = rig.calling;
    expect((await rig.pass(1_000, { advance: 10 })).calledTo).toBe(calling + 10);
    for (let i = 0; i < 31; i += 1) await rig.pass(4_000);
    const last = newFan("late one");
    await rig.join(last);
    expect((await rig.pass(1_000, { advance: 10 })).calledTo).toBe(last.number);
    rig.close();
  });

  it("goes on from the room's own clock whatever the new server's says", async () => {
    const rig = await openRig({ url: server.url, settings: { ratePerMinute: 600 } });
    const fans = await crowdAtDoor(rig, 2);
    await rig.pass(2_000);
    const claimed = await rig.turn(at(fans, 0));
    if (claimed.state !== "admitted") throw new Error(claimed.state);
    await wipe(rig);
    const clock = rig.clock;
    // The new server is 30 s ahead, the Room has counted 500 ms.
    rig.clockAt += 30_000 - 500;
    rig.now += 30_000;
    await rig.restore();
    const { clock: after } = await rig.tick();
    expect(after).toBe(clock + 500);
    const repeat = await rig.turn(at(fans, 0));
    expect(repeat).toMatchObject({ state: "admitted", until: claimed.until });
    rig.close();
  });

  it("keeps a claim that Redis lost under the same fence, from the Door's own row", async () => {
    const rig = await openRig({ url: server.url, settings: { ratePerMinute: 600 } });
    const [fan] = await crowdAtDoor(rig, 2);
    if (!fan) throw new Error("no fan");
    await rig.pass(2_000);
    const claimed = await rig.turn(fan);
    if (claimed.state !== "admitted") throw new Error(claimed.state);
    await redis.zrem(key(rig, "INSIDE"), fan.place);
    await redis.hdel(key(rig, "SLOT"), fan.place);
    expect(await rig.turn(fan)).toMatchObject({
      state: "admitted",
      jti: claimed.jti,
      until: claimed.until,
    });
    expect(await redis.zscore(key(rig, "INSIDE"), fan.place)).toBe(String(claimed.until));
    rig.close();
  });
});
