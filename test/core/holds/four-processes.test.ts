// The real thing: four core processes, two hundred clients over HTTP with proofs, one standing zone.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Db } from "../../../core/db/db.ts";
import { type House, openHouse, type Reply, type Shopper } from "../house.ts";
import { type Cores, startCores } from "../processes.ts";
import { findDisagreements } from "./agreement.ts";
import { manyConnections, putHouse, random } from "./inventory.ts";

const CAPACITY = 10_000;
const CLIENTS = 200;
const PER_ORDER = 8;
const SELLERS = 16;

let house: House;
let cores: Cores;
let db: Db;
beforeAll(async () => {
  house = await openHouse();
  db = manyConnections(house);
  cores = await startCores(house, [
    {},
    { RUN_JOBS: "false" },
    { RUN_JOBS: "false" },
    { RUN_JOBS: "false" },
  ]);
});
afterAll(async () => {
  await cores?.stop();
  await db.close();
  await house.close();
});

type Told = { at: number; shopper: Shopper; quantity: number; reply: Reply };

/** Buys for one person after another until it hears that nothing is left at all. */
async function shop(event: string, at: number, told: Told[]): Promise<void> {
  const dice = random(at);
  let most = PER_ORDER;
  while (most > 0) {
    const shopper = await house.shopper(event);
    const quantity = 1 + dice.below(most);
    const path = `/v1/events/${event}/holds`;
    const body = { zone: "floor", quantity };
    const reply = await cores.call(at, shopper, { method: "POST", path, body });
    told.push({ at, shopper, quantity, reply });
    if (reply.status === 201) continue;
    expect([reply.status, reply.body["code"]], reply.text).toEqual([409, "sold_out"]);
    const left = Number(reply.body["available"]);
    expect(left).toBeLessThan(quantity);
    most = Math.min(most, left);
  }
}

it("ten thousand places are sold to the last one, and each client got what it was told", async () => {
  const event = await putHouse(db, {
    capacity: CAPACITY,
    perOrderMax: PER_ORDER,
    perAccountMax: PER_ORDER,
  });
  const told: Told[] = [];
  await Promise.all(Array.from({ length: CLIENTS }, (_, at) => shop(event, at, told)));

  const won = told.filter(({ reply }) => reply.status === 201);
  for (const { quantity, reply } of won)
    expect(reply.body["zones"]).toMatchObject([{ id: "floor", quantity }]);
  expect(won.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(CAPACITY);
  const lines = await db.read<{ hold_id: string; quantity: number; account: string }>(
    `select l.hold_id, l.quantity, h.account from hold_zones l
     join holds h on h.event_id = l.event_id and h.id = l.hold_id
     where l.event_id = $1 and l.state = 'live'`,
    [event],
  );
  expect(new Map(lines.map((line) => [line.hold_id, `${line.account} ${line.quantity}`]))).toEqual(
    new Map(
      won.map(({ shopper, quantity, reply }) => [reply.body["id"], `${shopper.place} ${quantity}`]),
    ),
  );
  // Every process tells a winner the same; a loser has nothing anywhere.
  await Promise.all(
    won.slice(0, 40).map(async ({ at, shopper, reply }) => {
      const path = `/v1/holds/${reply.body["id"]}`;
      const seen = await cores.call(at + 1, shopper, { method: "GET", path });
      expect(seen.body).toMatchObject({ id: reply.body["id"], zones: reply.body["zones"] });
    }),
  );
  // Paid for one after another, they are all sold and nothing is left over or missing.
  const sell = async (from: number): Promise<void> => {
    for (let index = from; index < won.length; index += SELLERS) {
      const hold = String(won[index]?.reply.body["id"]);
      const sold = await db.call<{ result: string }>("sell_lines", [event, hold, `ord_${index}`]);
      expect(sold.result).toBe("sold");
    }
  };
  await Promise.all(Array.from({ length: SELLERS }, (_, from) => sell(from)));
  const [floor] = await db.read(
    "select held, sold, capacity from zones where event_id = $1 and zone_id = 'floor'",
    [event],
  );
  expect(floor).toEqual({ held: 0, sold: CAPACITY, capacity: CAPACITY });
  expect(await findDisagreements(db, event)).toEqual([]);
}, 90_000);
