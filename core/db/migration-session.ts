import postgres from "postgres";

/** One connection for the migration runner; never used while the core serves. */

export type Kind = "file" | "function";
type Item = { name: string; text: string; checksum: string };

export type MigrationSession = {
  /** Waits for another runner; held until `close`. */
  lock(): Promise<void>;
  /** Name → checksum of what ran. */
  applied(kind: Kind): Promise<Map<string, string>>;
  apply(kind: Kind, item: Item): Promise<void>;
  applyAll(kind: Kind, items: readonly Item[]): Promise<void>;
  close(): Promise<void>;
};

/** "sira" in ASCII; any number that no other program locks. */
const LOCK = 0x73697261;

export async function openMigrationSession(url: string): Promise<MigrationSession> {
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: "sira-migrate", statement_timeout: 0 },
  });

  const applyAll = async (kind: Kind, items: readonly Item[]) => {
    await sql.begin(async (tx) => {
      // Functions may name others that come later in the list.
      await tx.unsafe("set local check_function_bodies = off");
      for (const { name, text, checksum } of items) {
        try {
          await tx.unsafe(text);
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          throw new Error(`migrations: ${name}: ${reason}`, { cause: error });
        }
        await tx`
          insert into sira_migrations (kind, name, checksum) values (${kind}, ${name}, ${checksum})
          on conflict (kind, name) do update
            set checksum = excluded.checksum, applied_at = clock_timestamp()`;
      }
    });
  };

  return {
    async lock() {
      await sql`select pg_advisory_lock(${LOCK})`;
      await sql`
        create table if not exists sira_migrations (
          kind text not null check (kind in ('file', 'function')),
          name text not null,
          checksum text not null,
          applied_at timestamptz not null default clock_timestamp(),
          primary key (kind, name)
        )`;
    },
    async applied(kind) {
      const rows = await sql<{ name: string; checksum: string }[]>`
        select name, checksum from sira_migrations where kind = ${kind}`;
      return new Map(rows.map((row) => [row.name, row.checksum]));
    },
    apply: (kind, item) => applyAll(kind, [item]),
    applyAll,
    // The lock goes with the session.
    close: () => sql.end({ timeout: 5 }),
  };
}
