import { describe, expect, test } from "vitest";
import { admin, codeOf, open, openThroughProxy, proxies, recovers, terminate } from "./ground.ts";

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
