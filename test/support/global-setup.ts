// One PostgreSQL, with a migrated template database, and one Redis for the whole run. A test file
// takes its own database from `createDatabase` and its own Redis database from `claimRedis`.
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { migrate } from "../../core/migrate.ts";
import { endOldRuns, removeRun } from "../../tools/services/old-runs.ts";
import { startPostgres } from "../../tools/services/postgres.ts";
import { createProcesses } from "../../tools/services/processes.ts";
import { startRedis } from "../../tools/services/redis.ts";
import { STATE_DIR } from "../../tools/services/root.ts";

declare module "vitest" {
  export interface ProvidedContext {
    readonly postgresUrl: string;
    readonly templateDatabase: string;
    readonly redisUrl: string;
    readonly redisPid: number;
  }
}

const REDIS_DATABASES = 4_096;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await endOldRuns();
  const processes = createProcesses(join(STATE_DIR, `test-${process.pid}`));
  try {
    const [database, redis] = await Promise.all([
      prepareDatabase(async () => {
        const given = process.env["DATABASE_URL"];
        return given ?? (await startPostgres(processes, { throwAway: true })).url;
      }),
      startRedis(processes, {
        name: "redis",
        args: ["--databases", String(REDIS_DATABASES), "--maxmemory-policy", "noeviction"],
      }),
    ]);
    project.provide("postgresUrl", database.url);
    project.provide("templateDatabase", database.template);
    project.provide("redisUrl", redis.url);
    project.provide("redisPid", redis.pid);
  } catch (error) {
    await processes.stopAll();
    throw error;
  }
  return async () => {
    await processes.stopAll();
    removeRun(processes.dir);
  };
}

async function prepareDatabase(
  findServer: () => Promise<string>,
): Promise<{ url: string; template: string }> {
  const url = await findServer();
  const template = `sira_template_${process.pid}`;
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql`drop database if exists ${sql(template)}`;
    await sql`create database ${sql(template)}`;
  } finally {
    await sql.end();
  }
  const address = new URL(url);
  address.pathname = `/${template}`;
  const inTemplate = postgres(address.href, { max: 1, onnotice: () => {} });
  try {
    await inTemplate`create extension if not exists pg_stat_statements`;
  } finally {
    await inTemplate.end();
  }
  await migrate(address.href);
  return { url, template };
}
