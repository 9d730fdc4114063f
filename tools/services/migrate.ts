// Brings a database to the current schema by the command an operator would use.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { ROOT_DIR } from "./root.ts";

export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const script = join(ROOT_DIR, "core/migrate.ts");
  if (!existsSync(script)) return applyFiles(databaseUrl);
  const result = spawnSync(process.execPath, [script], {
    cwd: ROOT_DIR,
    encoding: "utf8",
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  if (result.status !== 0) throw new Error(`migration failed:\n${result.stdout}${result.stderr}`);
}

async function applyFiles(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    for (const pattern of ["migrations/*.sql", "migrations/functions/*.sql"]) {
      for (const file of globSync(pattern, { cwd: ROOT_DIR }).sort()) {
        await sql.unsafe(readFileSync(join(ROOT_DIR, file), "utf8"));
      }
    }
  } finally {
    await sql.end();
  }
}
