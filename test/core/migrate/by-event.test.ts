// An event can live in a database of its own: what a sale touches leads its key with the event, and no
// statement of the sale path speaks of two events. ARCHITECTURE says what that is for.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT_DIR } from "../../../tools/services/root.ts";
import { type House, openHouse } from "../house.ts";

const INVENTORY = [
  "events",
  "sections",
  "zones",
  "rows",
  "seats",
  "addons",
  "holds",
  "hold_seats",
  "hold_zones",
  "hold_addons",
  "purchase_counters",
  "admissions",
];
/** Keyed by ids of their own, and each row of one event all the same. */
const MONEY = ["orders", "order_lines", "payment_attempts", "refunds", "tickets"];
/** What runs between a fan and a sold seat. */
const SALE_PATH = [
  "hold_seats",
  "hold_best",
  "hold_zone_batch",
  "make_hold",
  "judge_holds",
  "lock_inventory",
  "expire_due",
  "end_lines",
  "protect_lines",
  "sell_lines",
  "retake_lines",
  "release_hold",
  "move_counters",
  "refresh_rows",
  "find_seats",
];

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

describe("distribution by event", () => {
  it("finds the event first in the key of every table of the inventory", async () => {
    const keys = await house.deps.db.read<{ name: string; lead: string }>(
      `select c.relname as name, a.attname as lead
       from pg_index i
       join pg_class c on c.oid = i.indrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
       where i.indisprimary and c.relname = any ($1)`,
      [INVENTORY],
    );
    expect(new Map(keys.map(({ name, lead }) => [name, lead]))).toEqual(
      new Map(INVENTORY.map((name) => [name, "event_id"])),
    );
  });

  it("finds the event in every unique index of the inventory", async () => {
    const without = await house.deps.db.read<{ name: string }>(
      `select x.relname as name from pg_index i
       join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
       where i.indisunique and c.relname = any ($1) and not exists (
         select 1 from pg_attribute a
         where a.attrelid = c.oid and a.attnum = any (i.indkey) and a.attname = 'event_id')`,
      [INVENTORY],
    );
    expect(without).toEqual([]);
  });

  it("finds the event in every row of orders and money", async () => {
    const nullable = await house.deps.db.read<{ name: string; nullable: string }>(
      `select table_name as name, is_nullable as nullable from information_schema.columns
       where table_schema = 'public' and column_name = 'event_id' and table_name = any ($1)`,
      [MONEY],
    );
    expect(new Map(nullable.map((row) => [row.name, row.nullable]))).toEqual(
      new Map(MONEY.map((name) => [name, "NO"])),
    );
  });

  it("takes the event as the first argument of every function of the sale path", () => {
    const folder = join(ROOT_DIR, "migrations/functions");
    const files = readdirSync(folder).filter((file) => SALE_PATH.includes(file.slice(0, -4)));
    expect(files).toHaveLength(SALE_PATH.length);
    const wrong: string[] = [];
    for (const file of files) {
      const text = readFileSync(join(folder, file), "utf8").replace(/--.*$/gm, "");
      const name = file.slice(0, -4);
      const [, first] = new RegExp(`function ${name}\\(\\s*(\\w+)`).exec(text) ?? [];
      if (first !== "p_event") wrong.push(`${name}(${first})`);
      // Each table of the inventory that is read or changed is so for one event.
      for (const statement of text.split(/;/)) {
        const touches = /\b(?:from|join|update|into)\s+(seats|zones|rows|holds|addons)\b/.test(
          statement,
        );
        if (touches && !/event_id|p_event/.test(statement))
          wrong.push(`${file}: ${statement.trim()}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
