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
