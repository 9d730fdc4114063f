import { describe, expect, test } from "vitest";
import { SqlError } from "../../../core/db/db.ts";
import { Refusal } from "../../../shared/errors.ts";
import { admin, codeOf, open, recovers } from "./ground.ts";

describe("one statement", () => {
  test("a function call takes text, arrays and objects and gives plain data back", async () => {
    const { db } = open();
    const tags = ["plain", 'with "quotes", commas {and} \\slashes', "", "NULL"];
    const more = { list: [1, { deep: true }], text: "it's" };
    expect(await db.call("add_thing", ["a", tags, more])).toEqual({ id: "a", tags, more });
  });

  test("a function's name is never text from outside", async () => {
    const { db } = open();
    await expect(db.call("now(); drop table things; --", [])).rejects.toThrow("lower case");
  });

  test("int8 comes as a number, and one beyond 2^53 is an error instead of a rounding", async () => {
    const { db } = open();
    expect(await db.read("select 9007199254740991::int8 as n")).toEqual([{ n: 9007199254740991 }]);
    await expect(db.read("select 9007199254740993::int8 as n")).rejects.toThrow();
    await recovers(db);
  });

  test("the server's refusal of a statement is told with its state and constraint", async () => {
    const { db } = open();
    await db.call("add_thing", ["twice", [], {}]);
    const failure = await db.call("add_thing", ["twice", [], {}]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SqlError);
    expect(failure).toMatchObject({ sqlState: "23505", constraint: "things_pkey" });
  });

  test("nulls, dates, big integers and booleans arrive as what they are", async () => {
    const { db } = open();
    const at = new Date("2026-03-29T01:30:00.123Z");
    const rows = await db.read(
      "select $1::text is null as a, $2::timestamptz = $3::timestamptz as b, $4::int8 as c, $5::boolean as d",
      [null, at, "2026-03-29 04:30:00.123+03", 12n, false],
    );
    expect(rows).toEqual([{ a: true, b: true, c: 12, d: false }]);
  });
});

describe("time", () => {
  test("a slow statement is ended by the server, and its connection goes on", async () => {
    const { db } = open();
    await db.ping(700);
    expect(await codeOf(db.write("select pg_sleep(5)"))).toBe("unavailable");
    expect(db.stats().replaced).toBe(0);
    await recovers(db);
  });

  test("a statement that outlives its client's deadline is unknown, and its connection is replaced", async () => {
    const { db } = open({ statementTimeoutMs: 60_000 });
    expect(await codeOf(db.write("select pg_sleep(5)"))).toBe("outcome_unknown");
    expect(await codeOf(db.read("select pg_sleep(5)"))).toBe("unavailable");
    await recovers(db);
  });

  test("waiting for a connection counts as waiting", async () => {
    const { db } = open({ poolMax: 2, statementTimeoutMs: 60_000, deadlineMs: 3_000 });
    const busy = [1, 2].map(() => codeOf(db.write("select pg_sleep(1)")));
    await expect.poll(() => db.stats().busy).toBe(2);
    expect(await codeOf(db.read("select 1", [], { deadlineMs: 300 }))).toBe("unavailable");
    expect(await Promise.all(busy)).toEqual(["done", "done"]);
  });

  test("more than the queue can serve in time is shed at once, with a spread Retry-After", async () => {
    const { db } = open({ poolMax: 2, queueWaitMsMax: 40, statementTimeoutMs: 4_000 });
    const work = Array.from({ length: 300 }, () => db.read("select pg_sleep(0.02)"));
    const ends = await Promise.allSettled(work);
    const refused = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    const shed = refused.filter((error) => error instanceof Refusal && error.code === "overloaded");
    expect(shed.length).toBeGreaterThan(50);
    expect(ends.length - refused.length).toBeGreaterThan(2);
    expect(new Set(shed.map((error) => error.headers["retry-after"])).size).toBeGreaterThan(1);
  });
});

describe("conflicts", () => {
  test("a deadlock is tried once more, and nobody sees it", async () => {
    await admin`insert into things (id) values ('x'), ('y') on conflict do nothing`;
    await admin.unsafe(`
      create or replace function cross_update(p_first text, p_second text) returns jsonb
      language plpgsql as $$
      begin
        update things set n = n + 1 where id = p_first;
        perform pg_sleep(0.15);
        update things set n = n + 1 where id = p_second;
        return '{}';
      end $$`);
    const { db } = open({ deadlineMs: 8_000, statementTimeoutMs: 6_000 });
    const ends = await Promise.all([
      codeOf(db.call("cross_update", ["x", "y"])),
      codeOf(db.call("cross_update", ["y", "x"])),
    ]);
    expect(ends).toEqual(["done", "done"]);
    const rows = await admin`select n from things where id in ('x', 'y')`;
    expect(rows.map(({ n }) => n)).toEqual([2, 2]);
  });

  test("a conflict that stays is a retryable 409", async () => {
    await admin.unsafe(`
      create sequence if not exists tries;
      create or replace function always_conflicts() returns jsonb language plpgsql as $$
      begin
        perform nextval('tries');
        raise exception 'no' using errcode = '40001';
      end $$`);
    const { db } = open();
    expect(await codeOf(db.call("always_conflicts", []))).toBe("conflict_retry");
    expect((await admin`select last_value from tries`)[0]?.["last_value"]).toBe("2");
  });
});
