// The last of the planted bugs: a core that forgets which proofs it has seen.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type House, openHouse } from "../core/house.ts";
import { makeEvent } from "../core/sold.ts";
import { findBroken } from "./check.ts";
import { History } from "./history.ts";

const memory = vi.hoisted(() => ({ forgets: false }));
vi.mock("../../core/admission/replay.ts", async (importOriginal) => {
  const real = await importOriginal<typeof import("../../core/admission/replay.ts")>();
  return {
    ...real,
    createReplays: (deps: Parameters<typeof real.createReplays>[0]) => {
      const replays = real.createReplays(deps);
      return {
        isFirstUse: (...args: Parameters<typeof replays.isFirstUse>) =>
          memory.forgets ? Promise.resolve(true) : replays.isFirstUse(...args),
      };
    },
  };
});

let house: House;
beforeAll(async () => {
  house = await openHouse();
  await makeEvent(house, "alpha");
});
afterAll(() => house.close());

async function showTwice(): Promise<string[]> {
  const history = new History();
  const path = "/v1/events/alpha/presence";
  const shopper = await house.shopper("alpha");
  const headers = shopper.headers("PUT", path);
  const call = () => house.request("PUT", path, { headers, body: { section: "A" } });
  await call();
  const { status } = await call();
  history.note({ who: shopper.place, op: "replay", outcome: status });
  return (await findBroken({ notes: history.notes })).map(({ what }) => what);
}

it("a proof that counts twice is found, and one that counts once is well", async () => {
  expect(await showTwice()).toEqual([]);
  memory.forgets = true;
  expect(await showTwice()).toContainEqual(expect.stringMatching(/^replay .* was answered 200/));
});
