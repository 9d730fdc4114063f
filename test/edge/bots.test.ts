// A crowd in which 95 of 100 joins are machines, before one room that asks for entry passes and one
// that does not. Speed and numbers of browsers buy nothing where a person has one place.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JoinReply } from "../../shared/contract/queue.ts";
import { fromHex } from "../../shared/draw/hex.ts";
import { NO_BEACON } from "../../shared/draw/key.ts";
import { drawOf } from "../../shared/draw/numbers.ts";
import { request } from "../support/fan.ts";
import { type Stand, startStand, until } from "./stand.ts";

const HONEST = 150;
const BOT_JOINS = 2_850;
/** Mailboxes that the machines' owners really have: each could register once. */
const BOT_PERSONS = 1_050;
const FIRST = 1_000;
const AT_ONCE = 48;
/** More than four standard deviations of a fair draw of 1,000 places, in either room. */
const LUCK = 0.025;

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

type Join = { honest: boolean; pass?: string };
type Place = { honest: boolean; index: number };

/** The machines are first at the door, all of them; people come when they come. */
async function joinAll(event: string, joins: readonly Join[]): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  const left = [...joins].sort((one, other) => Number(one.honest) - Number(other.honest));
  const one = async (): Promise<void> => {
    for (let join = left.shift(); join !== undefined; join = left.shift()) {
      const { honest, pass } = join;
      const address = `${stand.gate.origin}/api/queue/${event}/places`;
      const body = pass === undefined ? {} : { pass };
      const { status, body: reply, text } = await request<JoinReply>("POST", address, { body });
      if (status !== 200 && status !== 201) throw new Error(`join: ${status} ${text}`);
      places.set(reply.place.id, { honest, index: reply.place.index ?? -1 });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return places;
}

/** Opens the room and gives the honest people's share of the first places. */
async function shareAfterDraw(event: string, places: Map<string, Place>): Promise<number> {
  const action = { action: "open", reason: "everybody is here" };
  await stand.call("POST", `/api/rooms/${event}/actions`, action);
  await until(async () => (await stand.status(event)).pool.seed !== undefined);
  const { pool, epoch } = await stand.status(event);
  const seed = fromHex(pool.seed ?? "");
  const draw = drawOf({ seed, beacon: NO_BEACON, event, epoch, count: pool.count });
  const honest = [...places.values()].filter(
    (place) => place.honest && draw.numberOf(place.index) <= FIRST,
  );
  return honest.length / FIRST;
}

const makeRoom = (event: string, entry: "open" | "pass") =>
  stand.room(event, {
    entry,
    binding: "none",
    early: "draw",
    opensAt: new Date(Date.now() + 3_600_000).toISOString(),
  });

test("of the first 1,000 places honest people have their share of persons where passes are required", async () => {
  const event = "bots-with-passes";
  await makeRoom(event, "pass");
  const passOf = (person: string) => stand.sign("pass", { aud: `room/${event}`, sub: person });
  const honest = Array.from({ length: HONEST }, async (_, n) => ({
    honest: true,
    pass: await passOf(`person-${n}`),
  }));
  const owned = await Promise.all(
    Array.from({ length: BOT_PERSONS }, (_, n) => passOf(`bot-${n}`)),
  );
  const bots = Array.from({ length: BOT_JOINS }, (_, n) => {
    const pass = owned[n % BOT_PERSONS];
    return { honest: false, ...(pass === undefined ? {} : { pass }) };
  });
  const places = await joinAll(event, [...(await Promise.all(honest)), ...bots]);
  expect(places.size).toBe(HONEST + BOT_PERSONS);
  const share = await shareAfterDraw(event, places);
  const persons = HONEST / (HONEST + BOT_PERSONS);
  console.log(
    `with passes: ${percent(share)} of the first 1,000 are people, of persons ${percent(persons)}`,
  );
  expect(Math.abs(share - persons)).toBeLessThan(LUCK);
}, 240_000);

test("in an open room their share is that of the joins, and is printed", async () => {
  const event = "bots-in-the-open";
  await makeRoom(event, "open");
  const places = await joinAll(event, [
    ...Array.from({ length: HONEST }, () => ({ honest: true })),
    ...Array.from({ length: BOT_JOINS }, () => ({ honest: false })),
  ]);
  expect(places.size).toBe(HONEST + BOT_JOINS);
  const share = await shareAfterDraw(event, places);
  const joins = HONEST / (HONEST + BOT_JOINS);
  console.log(
    `open room: ${percent(share)} of the first 1,000 are people, of joins ${percent(joins)}`,
  );
  // Being first at the door has bought the machines nothing, their number has.
  expect(Math.abs(share - joins)).toBeLessThan(LUCK);
}, 240_000);

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
