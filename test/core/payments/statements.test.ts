// What a sale asks of PostgreSQL, as the server itself counted it: each change of state is one
// statement, and no transaction is ever open between two of them.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type House, openHouse } from "../house.ts";
import { makeEvent } from "../sold.ts";
import { startTestCore, type TestCore } from "./harness.ts";
import { newBuyer, openSale, pay, seat } from "./sale.ts";

let core: TestCore;
let house: House;
beforeAll(async () => {
  [core, house] = await Promise.all([startTestCore(), openHouse()]);
  await core.control({ webhooks: "off" });
});
afterAll(() => Promise.all([core.stop(), house.close()]));

type Statement = { query: string; calls: number };
type Reader = Pick<TestCore["db"], "read" | "write">;

/** Statements as they came from a client, not those inside functions. */
const STATEMENTS = `
  select query, sum(calls)::int as calls from pg_stat_statements
    where toplevel and dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'
    group by query`;
const RESET = `
  select pg_stat_statements_reset(0,
    (select oid from pg_database where datname = current_database()), 0)`;

async function counted(db: Reader, act: () => Promise<unknown>): Promise<Statement[]> {
  await db.read(RESET);
  await act();
  return db.read<Statement>(STATEMENTS);
}

/** How often each function was called, and each table written to, by clients. */
function changes(statements: readonly Statement[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { query, calls } of statements) {
    const [, fn] = /^select ([a-z_]+)\(\$/.exec(query.trim()) ?? [];
    const [, verb = "", table = ""] =
      /\b(insert into|update|delete from)\s+(\w+)/i.exec(query) ?? [];
    const what = fn ?? (table === "" ? undefined : `${verb} ${table}`);
    if (what !== undefined) found[what] = (found[what] ?? 0) + calls;
    expect(query).not.toMatch(/^\s*(begin|commit|rollback|start transaction|savepoint)/i);
  }
  return found;
}

it("a hold is one statement", async () => {
  const event = await makeEvent(house);
  const fan = await house.shopper(event);
  const path = `/v1/events/${event}/holds`;
  const statements = await counted(house.deps.db, async () => {
    const held = await fan.call("POST", path, { body: { seats: ["A-1-1", "A-1-2"] } });
    expect(held.status).toBe(201);
  });
  expect(changes(statements)).toEqual({ hold_seats: 1 });
});

it("a payment is one statement each for SENT, the success and the settling", async () => {
  const buyer = await newBuyer(core, await openSale(core), [seat(1), seat(2)]);
  const statements = await counted(core.db, async () => {
    expect((await pay(core, buyer, "pm_ok")).status).toBe(201);
  });
  expect(changes(statements)).toEqual({
    create_attempt: 1,
    begin_attempt: 1,
    record_attempt_success: 1,
    settle_order: 1,
    // The recorded reply, for a repeat of the key.
    "update payment_attempts": 1,
  });
});

it("a payment without an answer is one statement for SENT and none for a success", async () => {
  const buyer = await newBuyer(core, await openSale(core), [seat(1)]);
  const statements = await counted(core.db, () => pay(core, buyer, "pm_lost"));
  expect(changes(statements)).toEqual({
    create_attempt: 1,
    begin_attempt: 1,
    record_attempt_unknown: 1,
  });
});
