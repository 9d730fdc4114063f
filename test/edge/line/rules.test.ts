import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KEY_NAMES, lineKey } from "../../../edge/line/keys.ts";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { type Fan, newFan, openRig, type Rig } from "./rig.ts";

let server: RunningRedis;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
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

describe("joining", () => {
  it("gives numbers in the order of arrival and the same one for ever", async () => {
    const rig = await openRig({ url: server.url });
    const fans = await joined(rig, 5);
    expect(fans.map((fan) => fan.number)).toEqual([1, 2, 3, 4, 5]);
    const again = await rig.door.join(rig.fence, {
      place: first(fans).place,
      receipt: { kind: "none" },
    });
    expect(again).toMatchObject({ state: "numbered", number: 1, isNew: false });
    rig.close();
  });

  it("answers busy at the ceiling instead of going beyond it", async () => {
    const rig = await openRig({ url: server.url });
    const [from, to] = [rig.reserved.number - 500, rig.reserved.number];
    expect(from).toBe(500);
    await redis.hset(key(rig, "META"), "last", 499, "reserved_number", 500);
    expect(await rig.join(newFan("last-one"))).toMatchObject({ state: "numbered", number: 500 });
    expect(await rig.join(newFan("one-more"))).toEqual({ state: "busy" });
    rig.reserved = { number: to, index: to };
    await rig.tick();
    expect(await rig.join(newFan("one-more"))).toMatchObject({ state: "numbered", number: 501 });
    rig.close();
  });

  it("keeps late arrivals in their order and lets nobody overtake them", async () => {
    const rig = await openRig({ url: server.url });
    rig.now += 6_000;
    const early = newFan("before");
    expect(await rig.join(early)).toMatchObject({ state: "late" });
    rig.joinsLate = true;
    await rig.tick();
    const second = newFan("after");
    expect(await rig.join(second)).toMatchObject({ state: "late" });
    await rig.room.arrivals(rig.fence, {
      gen: 1,
      arrivals: [{ place: "journalled", at: rig.now - 7_000 }],
    });
    rig.joinsLate = false;
    await rig.tick({ numberLate: false });
    const last = newFan("after-all");
    expect(await rig.join(last)).toMatchObject({ state: "late" });
    await rig.tick();
    const journalled = newFan("journalled");
    expect(await rig.join(journalled)).toMatchObject({ number: 1, isNew: false });
    expect(await rig.join(early)).toMatchObject({ number: 2, isNew: false });
    expect(await rig.join(second)).toMatchObject({ number: 3, isNew: false });
    expect(await rig.join(last)).toMatchObject({ number: 4, isNew: false });
    rig.close();
  });

  it("refuses nobody who is known, and everybody who is new, once closed", async () => {
    const rig = await openRig({ url: server.url });
    const [fan] = await joined(rig, 1);
    rig.change({ phase: "closed" });
    await rig.tick();
    expect(fan && (await rig.join(fan)).state).toBe("numbered");
    expect(await rig.join(newFan("too-late"))).toEqual({ state: "closed" });
    rig.close();
  });
});

describe("the draw's pool", () => {
  const early = { phase: "upcoming", early: "draw", opensAt: 1_800_000_010_000 } as const;

  it("hands out indexes until the first join or tick at opensAt, then shuts", async () => {
    const rig = await openRig({ url: server.url, settings: early });
    const fans = await joined(rig, 3);
    expect(fans.map((fan) => fan.index)).toEqual([0, 1, 2]);
    await rig.pass(9_990);
    rig.now += 10;
    expect(await rig.join(newFan("on-time"))).toMatchObject({ state: "late", phase: "drawing" });
    expect((await rig.tick()).counts).toMatchObject({
      nextIndex: 3,
      pool: 3,
      issued: 3,
      waiting: 3,
    });
    rig.close();
  });

  it("enters journalled arrivals from before the opening until N is fixed, and as late ones after", async () => {
    const rig = await openRig({ url: server.url, settings: early });
    await joined(rig, 2);
    await rig.pass(11_000);
    rig.change({ phase: "drawing" });
    await rig.tick();
    const journal = (place: string, at: number) =>
      rig.room.arrivals(rig.fence, { gen: 1, arrivals: [{ place, at }] });
    expect(await journal("in-time", 1_800_000_005_000)).toMatchObject({ pooled: 1, late: 0 });
    expect(await journal("in-time", 1_800_000_005_000)).toMatchObject({ pooled: 0, known: 1 });
    expect(await journal("too-late", 1_800_000_010_500)).toMatchObject({ pooled: 0, late: 1 });
    rig.change({ poolSize: 3 });
    await rig.tick();
    expect(await journal("much-too-late", 1_800_000_005_001)).toMatchObject({ pooled: 0, late: 1 });
    rig.close();
  });

  it("fills the line by the drawn order, from where it left off and not twice, and numbers late ones after N", async () => {
    const rig = await openRig({ url: server.url, settings: early });
    const fans = await joined(rig, 5);
    const [, leaver] = fans;
    if (!leaver) throw new Error("no fan");
    await rig.leave(leaver);
    await rig.pass(11_000);
    const late = newFan("late");
    await rig.join(late);
    rig.change({ phase: "drawing", poolSize: 5 });
    await rig.tick();
    rig.change({ phase: "open" });
    await rig.tick();
    const order = [4, 1, 0, 3, 2];
    const fill = (start: number, indexes: number[]) =>
      rig.room.fill(rig.fence, { gen: 1, start, indexes });
    expect(await fill(0, order.slice(0, 3))).toEqual({ state: "filled", filled: 3, entered: 2 });
    expect(await fill(0, order.slice(0, 3))).toEqual({ state: "not_here", filled: 3 });
    // Somebody who comes to the front by a computed number before the fill has come that far.
    const own = fans[2];
    if (!own) throw new Error("no fan");
    own.number = 5;
    expect(await rig.turn(own)).toMatchObject({ state: "waiting", number: 5, ahead: 3 });
    expect(await fill(3, order.slice(3))).toEqual({ state: "filled", filled: 5, entered: 1 });
    expect(await redis.zrange(key(rig, "LINE"), "0", "-1", "WITHSCORES")).toEqual([
      `${rig.event}-4`,
      "1",
      `${rig.event}-0`,
      "3",
      `${rig.event}-3`,
      "4",
      `${rig.event}-2`,
      "5",
      "late",
      "6",
    ]);
    const { counts } = await rig.tick();
    expect(counts).toMatchObject({ issued: 6, waiting: 5, gone: 1, unreturned: 0, pool: 0 });
    rig.close();
  });

  it("never calls beyond what is filled in", async () => {
    const rig = await openRig({ url: server.url, settings: early });
    await joined(rig, 4);
    await rig.pass(11_000);
    rig.change({ phase: "open", poolSize: 4 });
    await rig.tick();
    await rig.room.fill(rig.fence, { gen: 1, start: 0, indexes: [3, 2] });
    expect((await rig.pass(1_000, { advance: 10 })).calledTo).toBe(2);
    rig.close();
  });
});

describe("slots", () => {
  async function insideOne(
    settings = {},
  ): Promise<{ rig: Rig; fans: Fan[]; fan: Fan; until: number }> {
    const rig = await openRig({
      url: server.url,
      settings: { ratePerMinute: 60, activeMax: 1, ...settings },
    });
    const fans = await joined(rig, 4);
    await rig.tick({ advance: 4 });
    for (const fan of fans) await rig.turn(fan);
    await rig.pass(1_000);
    const fan = first(fans);
    const result = await rig.turn(fan);
    if (result.state !== "admitted") throw new Error(`not admitted: ${result.state}`);
    return { rig, fans, fan, until: result.until };
  }

  it("are claimed once, with the same jti and end on every repeat, and end for good", async () => {
    const { rig, fan, until } = await insideOne();
    expect(await rig.turn(fan)).toMatchObject({ state: "admitted", jti: `${fan.place}.0`, until });
    while (rig.now < until) await rig.pass(4_000);
    expect(await rig.turn(fan)).toMatchObject({ state: "gone", row: { kind: "finished" } });
    expect((await rig.join(fan)).state).toBe("gone");
    rig.close();
  });

  it("stay counted when their fan leaves, until their end or the core's release", async () => {
    const { rig, fan, until } = await insideOne();
    expect(await rig.leave(fan)).toMatchObject({ state: "left", row: { kind: "left", until } });
    expect((await rig.pass(1_000)).counts).toMatchObject({ inside: 1, gone: 0, finished: 0 });
    expect((await rig.turn(fan)).state).toBe("gone");
    expect(await rig.extend(fan, until + 60_000)).toEqual({ state: "unchanged" });
    expect(await rig.release(fan)).toMatchObject({ state: "released", row: { kind: "gone" } });
    expect((await rig.tick()).counts).toMatchObject({ inside: 1, gone: 1, finished: 0, freed: 1 });
    rig.close();
  });

  it("are freed for the next one in the same beat, but not by a stranger's jti", async () => {
    const { rig, fan } = await insideOne();
    expect(await rig.door.release(rig.fence, { place: fan.place, jti: "other.0" })).toEqual({
      state: "unchanged",
    });
    expect((await rig.release(fan)).state).toBe("released");
    expect(await rig.release(fan)).toEqual({ state: "unchanged" });
    expect((await rig.pass(1_000)).popped).toBe(1);
    rig.close();
  });

  it("are lengthened, never shortened, and only by an hour at a time", async () => {
    const { rig, fan, until } = await insideOne();
    expect(await rig.extend(fan, until - 10_000)).toMatchObject({ state: "extended", until });
    expect(await rig.extend(fan, until + 10_000)).toMatchObject({ until: until + 10_000 });
    expect(await rig.extend(fan, until + 10 * 3_600_000)).toMatchObject({
      until: rig.now + 3_600_000,
    });
    expect(
      await rig.door.extend(rig.fence, { place: "nobody", jti: "nobody.0", untilMs: until }),
    ).toEqual({
      state: "unchanged",
    });
    rig.close();
  });

  it("go back to the line at the same number when nobody claims them, three times, then for good", async () => {
    const rig = await openRig({ url: server.url, settings: { ratePerMinute: 600 } });
    const [fan] = await joined(rig, 1);
    if (!fan) throw new Error("no fan");
    await rig.tick({ advance: 1 });
    for (let miss = 1; miss <= 3; miss += 1) {
      expect((await rig.turn(fan)).state).toBe("waiting");
      expect((await rig.pass(1_000)).popped).toBe(1);
      for (let i = 0; i < 20; i += 1) await rig.pass(4_000);
      expect(rig.roomRows.get(fan.place)).toMatchObject({
        kind: miss < 3 ? "missed" : "gone",
        misses: miss,
        number: 1,
      });
    }
    expect(await rig.turn(fan)).toMatchObject({ state: "gone", row: { kind: "gone" } });
    expect((await rig.tick()).counts).toMatchObject({ unclaimed: 3, gone: 1, waiting: 0 });
    rig.close();
  });

  it("cannot be claimed while paused; the call is kept meanwhile and costs no strike", async () => {
    const rig = await openRig({ url: server.url, settings: { ratePerMinute: 600 } });
    const [fan] = await joined(rig, 1);
    if (!fan) throw new Error("no fan");
    await rig.tick({ advance: 1 });
    await rig.turn(fan);
    await rig.pass(1_000);
    rig.change({ phase: "paused" });
    for (let i = 0; i < 40; i += 1) {
      await rig.pass(4_000);
      expect((await rig.turn(fan)).state).toBe("ready");
    }
    rig.change({ phase: "open" });
    await rig.pass(1_000);
    expect(await rig.turn(fan)).toMatchObject({ state: "admitted", jti: `${fan.place}.0` });
    rig.close();
  });

  it("all end after a stop: who was inside is finished, who was called waits on without a strike", async () => {
    const { rig, fan, fans } = await insideOne({ activeMax: 2 });
    await rig.pass(1_000);
    rig.change({ phase: "paused", endInside: true });
    const { counts } = await rig.tick();
    expect(counts).toMatchObject({ inside: 0, finished: 1, waiting: 3 });
    expect((await rig.turn(fan)).state).toBe("gone");
    expect(rig.roomRows.get(fans[1]?.place ?? "")).toMatchObject({ kind: "missed", misses: 0 });
    rig.close();
  });

  it("expire for nobody for 20 s after a gap in the ticks", async () => {
    const { rig, fan, until } = await insideOne();
    rig.now = until + 30_000;
    await rig.tick();
    expect((await rig.tick()).counts.inside).toBe(1);
    expect((await rig.turn(fan)).state).toBe("ready");
    expect((await rig.extend(fan, rig.now + 60_000)).state).toBe("extended");
    for (let i = 0; i < 6; i += 1) await rig.pass(4_000);
    expect((await rig.turn(fan)).state).toBe("admitted");
    rig.close();
  });

  it("can be given round the line, within the cap, and are counted by themselves", async () => {
    const { rig, fan, fans } = await insideOne();
    const guest = fans[3];
    if (!guest) throw new Error("no fan");
    const admit = (place: string) => rig.room.admit(rig.fence, { gen: 1, place });
    expect(await admit(guest.place)).toMatchObject({ state: "refused", why: "full" });
    expect(await admit(fan.place)).toMatchObject({ why: "inside" });
    expect(await admit("nobody")).toMatchObject({ why: "unknown" });
    await rig.release(fan);
    expect(await admit(fan.place)).toMatchObject({ why: "gone" });
    expect(await admit(guest.place)).toMatchObject({ state: "called", number: 4 });
    expect((await rig.pass(1_000)).counts).toMatchObject({ roundTheLine: 1, inside: 1 });
    expect((await rig.turn(guest)).state).toBe("admitted");
    rig.close();
  });
});

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
