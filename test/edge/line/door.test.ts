import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KEY_NAMES, lineKey } from "../../../edge/line/keys.ts";
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

async function joined(rig: Rig, size: number): Promise<Fan[]> {
  const fans = Array.from({ length: size }, (_, i) => newFan(`${rig.event}-${i}`));
  for (const fan of fans) await rig.join(fan);
  return fans;
}

const first = <T>(list: readonly T[]): T => {
  const [one] = list;
  if (one === undefined) throw new Error("an empty list");
  return one;
};

describe("the door", () => {
  it("admits by number among those present, and who comes late goes in next", async () => {
    const rig = await openRig({ url: server.url, settings: { ratePerMinute: 60, activeMax: 100 } });
    const fans = await joined(rig, 6);
    await rig.tick({ advance: 6 });
    for (const fan of fans.slice(2)) await rig.turn(fan);
    const popped = async () => (await rig.pass(1_000)).rows.map((row) => row.number).at(-1);
    expect(await popped()).toBe(3);
    await rig.turn(first(fans));
    expect(await popped()).toBe(1);
    expect(await popped()).toBe(4);
    rig.close();
  });

  it("does not admit a member put there by hand, or one whose place has left the line", async () => {
    const rig = await openRig({ url: server.url, settings: { ratePerMinute: 600 } });
    const [fan] = await joined(rig, 1);
    await redis.zadd(key(rig, "DOOR"), 0, "intruder");
    await redis.zadd(key(rig, "SEEN"), rig.now + 60_000, "intruder");
    expect(await rig.pass(2_000)).toMatchObject({ popped: 0, rows: [] });
    if (!fan) throw new Error("no fan");
    await rig.tick({ advance: 1 });
    await rig.turn(fan);
    await redis.zrem(key(rig, "DOOR"), fan.place);
    expect((await rig.pass(2_000)).popped).toBe(0);
    rig.close();
  });

  it("loses one beat, not N, when N people at its head vanish", async () => {
    const rig = await openRig({
      url: server.url,
      settings: { ratePerMinute: 600, activeMax: 2_000 },
    });
    const fans = await joined(rig, 400);
    await rig.tick({ advance: 400 });
    for (const fan of fans) await rig.turn(fan);
    rig.change({ hold: true });
    // 390 close their tabs, ten go on asking.
    for (let i = 0; i < 5; i += 1) {
      await rig.pass(4_000);
      for (const fan of fans.slice(390)) await rig.turn(fan);
    }
    rig.change({ hold: false });
    const { rows } = await rig.pass(1_000);
    expect(rows.map((row) => row.number)).toEqual(Array.from({ length: 10 }, (_, i) => 391 + i));
    rig.close();
  });

  it("keeps a hidden page's presence for 90 s and a visible one's for 15 s", async () => {
    const rig = await openRig({ url: server.url, settings: { hold: true } });
    const [visible, hidden] = await joined(rig, 2);
    if (!visible || !hidden) throw new Error("no fans");
    rig.change({ hold: false });
    await rig.tick({ advance: 2 });
    rig.change({ hold: true });
    await rig.turn(visible);
    await rig.turn(hidden, true);
    for (let i = 0; i < 4; i += 1) await rig.pass(4_000);
    expect((await rig.tick()).counts.door).toBe(1);
    for (let i = 0; i < 19; i += 1) await rig.pass(4_000);
    expect((await rig.tick()).counts).toMatchObject({ door: 0, waiting: 2 });
    rig.close();
  });

  it("lets those told `ready` in by their numbers when the minute has room again", async () => {
    const rig = await openRig({ url: server.url, settings: { ratePerMinute: 2, activeMax: 100 } });
    const fans = await joined(rig, 8);
    const claimed: number[] = [];
    await rig.tick({ advance: 8 });
    for (let s = 0; s < 400; s += 2) {
      // The higher numbers ask first, always.
      for (const fan of fans.toReversed()) {
        const before = rig.doorRows.has(fan.place);
        const result = await rig.turn(fan);
        if (result.state === "admitted" && !before) claimed.push(result.number);
      }
      await rig.pass(2_000);
    }
    expect(claimed).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    rig.close();
  });

  it("lets no more in after a lowering than the new rate, however many were called before", async () => {
    const rig = await openRig({
      url: server.url,
      settings: { ratePerMinute: 600, activeMax: 100, claimMs: 120_000 },
    });
    const fans = await joined(rig, 20);
    await rig.tick({ advance: 20 });
    for (const fan of fans) await rig.turn(fan);
    for (let popped = 0; popped < 20; ) popped += (await rig.pass(1_000)).popped;
    const claim = async (among: readonly Fan[]) => {
      const told = await Promise.all(among.map((fan) => rig.turn(fan)));
      return told.filter((answer) => answer.state === "admitted").length;
    };
    expect(await claim(fans.slice(0, 5))).toBe(5);
    rig.change({ ratePerMinute: 3 });
    await rig.pass(1_000);
    // All twenty slots are theirs, and the minute has five hundred to spare by the old rate.
    expect(await claim(fans.slice(5))).toBe(3);
    await rig.pass(30_000);
    expect(await claim(fans.slice(8))).toBe(0);
    await rig.pass(31_000);
    expect(await claim(fans.slice(8))).toBe(3);
    rig.close();
  });
});

describe("peek", () => {
  it("tells what turn would, and changes nothing", async () => {
    const rig = await openRig({ url: server.url, settings: { ratePerMinute: 600 } });
    const fans = await joined(rig, 3);
    await rig.tick({ advance: 3 });
    const fan = first(fans);
    const look = () =>
      rig.door.peek(rig.fence, { place: fan.place, number: fan.number, hidden: false });
    expect(await look()).toMatchObject({ state: "waiting", number: 1, ahead: 0, atDoor: false });
    expect((await rig.tick()).counts.door).toBe(0);
    await rig.turn(fan);
    await rig.pass(1_000);
    expect(await look()).toMatchObject({ state: "ready" });
    await rig.turn(fan);
    expect(await look()).toMatchObject({ state: "admitted" });
    await rig.leave(fan);
    expect(await look()).toMatchObject({ state: "gone" });
    expect(
      await rig.door.peek(rig.fence, { place: "x", number: null, hidden: false }),
    ).toMatchObject({ state: "unknown" });
    rig.close();
  });
});

describe("a reset", () => {
  it("starts a new epoch on empty keys and unlinks the old ones", async () => {
    const rig = await openRig({ url: server.url });
    await joined(rig, 3);
    expect(await rig.room.unlinkEpoch(1)).toEqual({ state: "ok" });
    expect(await redis.keys(`room:{${rig.event}}:*`)).toEqual([]);
    rig.close();
  });
});
