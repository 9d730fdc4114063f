import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readDatabaseUrl } from "./config.ts";
import { openMigrationSession } from "./db/migration-session.ts";

/**
 * Brings a database to the schema of this tree: numbered files once each, in order and for ever
 * (`migrations/0001_name.sql`), functions again whenever their text changed
 * (`migrations/functions/*.sql`). Two runners may start at once: one waits for the other.
 */

export type MigrationReport = { applied: string[]; functions: string[] };

const FOLDER = fileURLToPath(new URL("../migrations/", import.meta.url));
const NUMBERED = /^\d{4}_[a-z0-9_]+\.sql$/;
const FUNCTION_FILE = /^[a-z0-9_]+\.sql$/;

type SqlFile = { name: string; text: string; checksum: string };

async function readFolder(folder: string, pattern: RegExp): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, `file://${folder}`), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

/** @throws when a numbered file that ran was changed or taken away since. */
function requireForwardOnly(files: readonly SqlFile[], ran: ReadonlyMap<string, string>): void {
  const byName = new Map(files.map((file) => [file.name, file]));
  for (const [name, checksum] of ran) {
    const file = byName.get(name);
    if (!file) throw new Error(`migrations/${name} ran here and is gone from this tree`);
    if (file.checksum !== checksum)
      throw new Error(`migrations/${name} ran here and was changed since; add a new file instead`);
  }
}

export async function migrate(databaseUrl: string, folder = FOLDER): Promise<MigrationReport> {
  const files = await readFolder(folder, NUMBERED);
  const functions = await readFolder(`${folder}functions/`, FUNCTION_FILE);
  const session = await openMigrationSession(databaseUrl);
  try {
    await session.lock();
    const ran = await session.applied("file");
    requireForwardOnly(files, ran);
    const report: MigrationReport = { applied: [], functions: [] };
    for (const file of files) {
      if (ran.has(file.name)) continue;
      await session.apply("file", file);
      report.applied.push(file.name);
    }
    const current = await session.applied("function");
    const changed = functions.filter((file) => current.get(file.name) !== file.checksum);
    // One transaction for all: functions call each other, and no caller sees half of a change.
    if (changed.length > 0) await session.applyAll("function", changed);
    report.functions = changed.map((file) => file.name);
    return report;
  } finally {
    await session.close();
  }
}

if (import.meta.main) {
  const report = await migrate(readDatabaseUrl());
  const list = (names: string[]) => (names.length === 0 ? "none" : names.join(", "));
  console.log(`Migrations applied: ${list(report.applied)}`);
  console.log(`Functions applied: ${list(report.functions)}`);
}
