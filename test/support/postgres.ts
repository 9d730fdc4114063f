// A database of its own for each test file, cloned from the migrated template.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { inject } from "vitest";

const CLONE_TRIES_MAX = 50;
const OBJECT_IN_USE = "55006";

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  drop(): Promise<void>;
}

export async function createDatabase(): Promise<TestDatabase> {
  const name = `t_${randomBytes(6).toString("hex")}`;
  const serverUrl = inject("postgresUrl");
  const template = inject("templateDatabase");
  await onServer(serverUrl, async (sql) => {
    for (let tries = 1; ; tries++) {
      try {
        await sql`create database ${sql(name)} template ${sql(template)}`;
        return;
      } catch (error) {
        // Two files may clone at once; the template may be read by only one of them.
        const inUse = error instanceof postgres.PostgresError && error.code === OBJECT_IN_USE;
        if (!inUse || tries >= CLONE_TRIES_MAX) throw error;
        await sleep(20 + Math.random() * 80);
      }
    }
  });
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  return {
    url: address.href,
    name,
    drop: () =>
      onServer(serverUrl, async (sql) => {
        await sql`drop database if exists ${sql(name)} with (force)`;
      }),
  };
}

async function onServer(url: string, work: (sql: postgres.Sql) => Promise<void>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
