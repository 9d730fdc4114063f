import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createDb } from "../../../core/db/connect.ts";
import { type Db, SqlError } from "../../../core/db/db.ts";
import { createMetrics } from "../../../core/metrics/metrics.ts";
import { type ErrorCode, Refusal } from "../../../shared/errors.ts";
import { createDatabase, type TestDatabase } from "../../support/postgres.ts";
import { startTcpProxy, type TcpProxy, throughProxy } from "../../support/tcp-proxy.ts";

let database: TestDatabase;
let admin: postgres.Sql;
const opened: Db[] = [];
const proxies: TcpProxy[] = [];

beforeAll(async () => {
  database = await createDatabase();
  admin = postgres(database.url, { max: 4, onnotice: () => undefined });
  await admin.unsafe(`
    create table things (id text primary key, n integer not null default 0);
    create function add_thing(p_id text, p_tags text[], p_more jsonb) returns jsonb
    language sql as $$
      insert into things (id) values (p_id);
      select jsonb_build_object('id', p_id, 'tags', to_jsonb(p_tags), 'more', p_more)
    $$;
  `);
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

afterAll(async () => {
  await admin.end();
  await database.drop();
});

let names = 0;
function open(options: Partial<Parameters<typeof createDb>[0]> = {}): { db: Db; name: string } {
  names += 1;
  const name = `db-test-${process.pid}-${names}`;
  const db = createDb({
    url: database.url,
    poolMax: 2,
    metrics: createMetrics(),
    applicationName: name,
    deadlineMs: 700,
    statementTimeoutMs: 500,
    ...options,
  });
  opened.push(db);
  return { db, name };
}

async function openThroughProxy(): Promise<{ db: Db; name: string; proxy: TcpProxy }> {
  const { hostname, port } = new URL(database.url);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  proxies.push(proxy);
  return { ...open({ url: throughProxy(database.url, proxy) }), proxy };
}

async function codeOf(work: Promise<unknown>): Promise<ErrorCode | "done" | `sql ${string}`> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    if (error instanceof SqlError) return `sql ${error.sqlState}`;
    throw error;
  }
}

/** A 503 may be answered while connections are dialled again; never for long. */
async function recovers(db: Db): Promise<void> {
  await expect.poll(() => codeOf(db.ping(700)), { timeout: 10_000, interval: 50 }).toBe("done");
}

const terminate = (name: string, signal: "terminate" | "cancel" = "terminate") =>
  admin`select ${admin.unsafe(`pg_${signal}_backend`)}(pid) from pg_stat_activity
    where application_name = ${name}`;

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
    const busy = [1, 2].map(() => codeOf(db.write("select pg_sleep(2)")));
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

describe("the server and the network misbehave", () => {
  test("an idle transaction killed by the server neither commits nor poisons a connection", async () => {
    const { db, name } = open({ statementTimeoutMs: 300 });
    // The driver is never asked for a transaction; even one opened by hand ends with its session.
    await db.write("begin; insert into things (id) values ('ghost')").catch(() => undefined);
    await expect
      .poll(
        () =>
          admin`select 1 from pg_stat_activity where application_name = ${name}
        and state = 'idle in transaction'`.then((rows) => rows.length),
        { timeout: 5_000 },
      )
      .toBe(0);
    await recovers(db);
    expect(await db.read("select id from things where id = 'ghost'")).toEqual([]);
  });

  test("a backend terminated while it works leaves the outcome unknown and the pool whole", async () => {
    const { db, name } = open({ deadlineMs: 5_000, statementTimeoutMs: 4_000 });
    const work = codeOf(db.write("select pg_sleep(3)"));
    await expect.poll(() => db.stats().busy).toBe(1);
    await expect.poll(async () => (await terminate(name)).length).toBeGreaterThan(0);
    expect(await work).toBe("outcome_unknown");
    await recovers(db);
  });

  test("a read whose backend is terminated is asked again", async () => {
    const { db, name } = open({ deadlineMs: 5_000, statementTimeoutMs: 4_000 });
    const work = codeOf(db.read("select pg_sleep(0.4)"));
    await expect.poll(() => db.stats().busy).toBe(1);
    await expect.poll(async () => (await terminate(name)).length).toBeGreaterThan(0);
    expect(await work).toBe("done");
  });

  test("backends terminated while idle cost the next callers nothing", async () => {
    const { db, name } = open();
    await Promise.all([db.ping(700), db.ping(700)]);
    await terminate(name);
    await expect
      .poll(() =>
        admin`select 1 from pg_stat_activity where application_name = ${name}`.then(
          (rows) => rows.length,
        ),
      )
      .toBe(0);
    await recovers(db);
    expect(await Promise.all([codeOf(db.ping(700)), codeOf(db.ping(700))])).toEqual([
      "done",
      "done",
    ]);
  });

  test("a server that closes every connection at its start is given up quickly and not hammered", async () => {
    const { db, proxy } = await openThroughProxy();
    proxy.set("refuse");
    const ends: string[] = [];
    for (let tries = 0; tries < 40; tries += 1) ends.push(await codeOf(db.write("select 1")));
    expect(new Set(ends)).toEqual(new Set(["unavailable"]));
    expect(proxy.accepted()).toBeLessThan(40);
    proxy.set("pass");
    await recovers(db);
  });

  test("nothing listens: 503 at once, and again works when something does", async () => {
    const { db, proxy } = await openThroughProxy();
    await proxy.close();
    proxies.length = 0;
    expect(await codeOf(db.write("select 1"))).toBe("unavailable");
    expect(await codeOf(db.ping(700))).toBe("unavailable");
  });

  test("a black hole answers everybody in bounded time, and the process recovers by itself", async () => {
    const { db, proxy } = await openThroughProxy();
    await Promise.all([db.ping(700), db.ping(700)]);
    proxy.set("hole");
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        codeOf(i % 2 === 0 ? db.write("select 1") : db.read("select 1")),
      ),
    );
    for (const end of ends) expect(["unavailable", "outcome_unknown", "overloaded"]).toContain(end);
    expect(ends).toContain("outcome_unknown");
    proxy.set("pass");
    await recovers(db);
    expect(db.stats().replaced).toBeGreaterThan(0);
  });

  test("connections reset in mid-flight: reads are repeated, changes are unknown", async () => {
    const { db, proxy } = await openThroughProxy();
    await db.ping(700);
    const change = codeOf(db.write("select pg_sleep(0.3)"));
    await expect.poll(() => db.stats().busy).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    proxy.cut();
    expect(await change).toBe("outcome_unknown");
    await recovers(db);
  });

  test("after any number of faults no connection is left behind", async () => {
    const { db, name, proxy } = await openThroughProxy();
    for (let round = 0; round < 5; round += 1) {
      await Promise.allSettled([db.ping(300), db.write("select pg_sleep(0.05)"), db.ping(300)]);
      proxy.cut();
    }
    await recovers(db);
    await expect
      .poll(
        () =>
          admin`select 1 from pg_stat_activity where application_name = ${name}`.then(
            (rows) => rows.length,
          ),
        { timeout: 8_000 },
      )
      .toBeLessThanOrEqual(2);
  });
});
