import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLine } from "../../../edge/line/line.ts";
import { readScriptTexts } from "../../../edge/line/scripts-node.ts";
import type { TickResult } from "../../../edge/line/types.ts";
import { WINDOW_MS } from "./invariants.ts";
import { newFan, openRig } from "./rig.ts";
import { type LineServer, openLineServer } from "./server.ts";

const TICKS = 5_000;

let server: LineServer;
beforeAll(async () => {
  server = await openLineServer();
});
afterAll(async () => {
  await server.stop();
});

/** A small seeded generator (mulberry32), so that a failure can be run again. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe("two Rooms at once", () => {
  it.each([
    { binds: "the rate", rate: 150, active: 500 },
    { binds: "the cap", rate: 6_000, active: 20 },
  ])(
    "pass neither rate nor cap in 5,000 ticks at random, late, twice and with an older gen, where $binds binds",
    async ({ binds, rate, active }) => {
      const seed = Number(process.env["LINE_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
      console.log(`seed ${seed}`);
      const random = randomOf(seed);
      const rig = await openRig({
        url: server.url,
        settings: { ratePerMinute: rate, activeMax: active, sessionMs: 60_000 },
      });
      const line = { url: server.url, event: rig.event, scripts: readScriptTexts() };
      // The other Room's clock is behind by up to 30 s: its own time must not matter.
      const zombie = openLine({ ...line, now: () => rig.now - Math.floor(random() * 30_000) });
      const fans = Array.from({ length: 1_800 }, (_, i) => newFan(`t${i}`));
      for (let i = 0; i < fans.length; i += 400) {
        await rig.tick();
        await Promise.all(fans.slice(i, i + 400).map((fan) => rig.join(fan)));
      }
      await rig.tick({ advance: fans.length });
      const waiting = [...fans];
      const tally = { ticked: 0, stale: 0, popped: 0, mostInside: 0 };
      const see = (result: TickResult) => {
        if (result.state === "away") throw new Error(result.detail);
        if (result.state === "stale") {
          tally.stale += 1;
          return;
        }
        tally.ticked += 1;
        tally.popped += result.popped;
        tally.mostInside = Math.max(tally.mostInside, result.counts.inside);
        expect(result.counts.inside).toBeLessThanOrEqual(active);
        expect(result.counts.unreturned).toBe(0);
        rig.store(result);
      };
      let atDoor = waiting.splice(0, 60);
      const older = () => rig.tickInput({ gen: rig.gen - 1, advance: 50 });
      for (let sent = 0; sent < TICKS; ) {
        rig.now += Math.floor(random() * 400);
        // A handful at once, from either side, some of them the same one again.
        const input = rig.tickInput();
        const batch = Array.from({ length: 5 }, () => {
          const room = random() < 0.5 ? rig.room : zombie;
          return room.tick(rig.fence, random() < 0.1 ? older() : input);
        });
        sent += batch.length;
        for (const result of await Promise.all(batch)) see(result);
        const seen = await Promise.all(atDoor.map((fan) => rig.turn(fan)));
        const released = atDoor.filter((_, j) => seen[j]?.state === "admitted" && random() < 0.4);
        for (const fan of released) await rig.release(fan);
        atDoor = atDoor.filter(
          (fan) =>
            !["finished", "gone", "claimed"].includes(rig.doorRows.get(fan.place)?.kind ?? ""),
        );
        atDoor.push(...waiting.splice(0, 60 - atDoor.length));
      }
      const times = [
        ...new Map([...rig.doorRows.values()].map((row) => [row.place, row.claimedAt])).values(),
      ]
        .filter((at) => at > 0)
        .sort((a, b) => a - b);
      let most = 0;
      for (let from = 0, to = 0; to < times.length; to += 1) {
        while ((times[from] ?? 0) <= (times[to] ?? 0) - WINDOW_MS) from += 1;
        most = Math.max(most, to - from + 1);
      }
      const minutes = (rig.now - (times[0] ?? 0)) / WINDOW_MS;
      console.log({
        ...tally,
        claims: times.length,
        mostInAMinute: most,
        minutes: Math.round(minutes * 10) / 10,
      });
      expect(most).toBeLessThanOrEqual(rate);
      // The limit was reached, or nothing has been shown.
      if (binds === "the rate") expect(most).toBeGreaterThan(rate * 0.9);
      else expect(tally.mostInside).toBe(active);
      expect(tally.stale).toBeGreaterThan(TICKS / 20);
      zombie.close();
      rig.close();
    },
  );
});
