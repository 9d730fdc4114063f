import type { House } from "../house.ts";

/** Every table of every schema, and every key of Redis, as text. */
export async function dumpStores(house: House): Promise<string> {
  const tables = await house.deps.db.read<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const [row] = await house.deps.db.read<{ text: string | null }>(
      `select jsonb_agg(to_jsonb(t))::text as text from ${name} t`,
    );
    parts.push(`${name}: ${row?.text ?? ""}`);
  }
  for (const { client } of [house.deps.redis.locks, house.deps.redis.cache])
    for (const key of await client.keys("*")) parts.push(key, String(await client.dump(key)));
  return parts.join("\n");
}
