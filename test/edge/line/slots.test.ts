import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fan, newFan, openRig, type Rig } from "./rig.ts";
import { type LineServer, openLineServer } from "./server.ts";

let server: LineServer;
beforeAll(async () => {
  server = await openLineServer();
});
afterAll(async () => {
  await server.stop();
});

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
