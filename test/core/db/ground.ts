// A database with a table and a function, and connections to it that can be watched and cut.
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { createDb } from "../../../core/db/connect.ts";
import { type Db, SqlError } from "../../../core/db/db.ts";
import { createMetrics } from "../../../core/metrics/metrics.ts";
import { type ErrorCode, Refusal } from "../../../shared/errors.ts";
import { createDatabase, type TestDatabase } from "../../support/postgres.ts";
import { startTcpProxy, type TcpProxy, throughProxy } from "../../support/tcp-proxy.ts";

let database: TestDatabase;
export let admin: postgres.Sql;
const opened: Db[] = [];
export const proxies: TcpProxy[] = [];

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

export function open(options: Partial<Parameters<typeof createDb>[0]> = {}): {
  db: Db;
  name: string;
} {
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

export async function openThroughProxy(): Promise<{ db: Db; name: string; proxy: TcpProxy }> {
  const { hostname, port } = new URL(database.url);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  proxies.push(proxy);
  return { ...open({ url: throughProxy(database.url, proxy) }), proxy };
}

export async function codeOf(
  work: Promise<unknown>,
): Promise<ErrorCode | "done" | `sql ${string}`> {
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
export async function recovers(db: Db): Promise<void> {
  await expect.poll(() => codeOf(db.ping(700)), { timeout: 10_000, interval: 50 }).toBe("done");
}

export const terminate = (name: string, signal: "terminate" | "cancel" = "terminate") =>
  admin`select ${admin.unsafe(`pg_${signal}_backend`)}(pid) from pg_stat_activity
    where application_name = ${name}`;
