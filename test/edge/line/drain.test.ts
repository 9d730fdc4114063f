import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCrowd } from "./crowd.ts";
import { WINDOW_MS } from "./invariants.ts";
import { openRig } from "./rig.ts";
import { type LineServer, openLineServer } from "./server.ts";

let server: LineServer;
beforeAll(async () => {
  server = await openLineServer();
});
afterAll(async () => {
  await server.stop();
});

function perMinute(claims: readonly number[], from: number, minutes: number): number[] {
  return Array.from({ length: minutes }, (_, i) => {
    const start = from + i * WINDOW_MS;
    return claims.filter((at) => at > start && at <= start + WINDOW_MS).length;
  });
}

describe("the drain of a line", () => {
  it.each([
    { goneShare: 0, hiddenShare: 0, rate: 300 },
    { goneShare: 0.5, hiddenShare: 0, rate: 300 },
    { goneShare: 0.5, hiddenShare: 0.33, rate: 300 },
    { goneShare: 0.8, hiddenShare: 0, rate: 300 },
    { goneShare: 0.5, hiddenShare: 0, rate: 60 },
  ])(
    "meets $rate a minute within 1 % with $goneShare of its people gone and $hiddenShare hidden",
    async ({ goneShare, hiddenShare, rate }) => {
      const rig = await openRig({
        url: server.url,
        settings: { ratePerMinute: rate, activeMax: 5_000 },
      });
      const start = rig.now;
      const minutes = 3;
      const fans = Math.ceil((rate * (minutes + 3)) / (1 - goneShare));
      let state = 7;
      const random = () => {
        state = (state * 16_807) % 2_147_483_647;
        return state / 2_147_483_647;
      };
      const plan = { fans, goneShare, hiddenShare, seconds: (minutes + 1) * 60, staysMs: 30_000 };
      const { claims, called } = await runCrowd(rig, plan, random);
      const counted = perMinute(claims, start + WINDOW_MS, minutes);
      console.log(
        `${goneShare * 100} % gone, ${hiddenShare * 100} % hidden, set ${rate}: ${counted.join(" ")} a minute, called ${called}`,
      );
      for (const count of counted) {
        expect(count).toBeLessThanOrEqual(rate);
        expect(count).toBeGreaterThanOrEqual(Math.floor(rate * 0.99) - 1);
      }
      rig.close();
    },
  );
});
