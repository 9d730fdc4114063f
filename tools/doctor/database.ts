// PostgreSQL: version, what makes a commit durable, room for our connections, our own schema.
import postgres from "postgres";
import { bad, type Finding, good, look } from "./finding.ts";

const VERSION_MIN = 16;
/** Of our pool: the queues, the listener, a migration and a person who looks. */
const CONNECTIONS_BESIDES = 10;

export type DatabaseFacts = {
  readonly version: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly isReplica: boolean;
  readonly migrated: readonly string[];
  readonly expected: readonly string[];
  readonly connectionsWanted: number;
  readonly nowMs: number;
};

const SETTINGS = [
  "fsync",
  "full_page_writes",
  "synchronous_commit",
  "synchronous_standby_names",
  "archive_mode",
  "max_connections",
  "default_transaction_isolation",
  "default_transaction_read_only",
] as const;

/** Pure. */
export function judgeDatabase(facts: DatabaseFacts): Finding[] {
  const { settings, version } = facts;
  const found: Finding[] = [];
  const must = (isRight: boolean, says: string, remedy: string) => {
    if (!isRight) found.push(bad("database", says, remedy));
  };
  must(version >= VERSION_MIN, `PostgreSQL ${version}`, `use PostgreSQL ${VERSION_MIN} or newer`);
  must(
    !facts.isReplica && settings["default_transaction_read_only"] !== "on",
    "it only reads",
    "name the primary in DATABASE_URL",
  );
  for (const name of ["fsync", "full_page_writes"])
    must(
      settings[name] === "on",
      `${name} is off: a power cut loses sold seats`,
      `set ${name} = on and restart`,
    );
  must(
    settings["synchronous_commit"] !== "off",
    "synchronous_commit is off: a confirmed ticket may be lost",
    "set synchronous_commit = on (or remote_apply with a standby)",
  );
  must(
    settings["default_transaction_isolation"] === "read committed",
    `isolation is ${settings["default_transaction_isolation"]}`,
    "the SQL functions are written for read committed: set default_transaction_isolation",
  );
  const room = Number(settings["max_connections"]);
  must(
    room >= facts.connectionsWanted,
    `max_connections is ${room}, our processes may want ${facts.connectionsWanted}`,
    "raise max_connections, or lower DB_POOL_MAX or CORE_PROCESSES",
  );
  const missing = facts.expected.filter((name) => !facts.migrated.includes(name));
  must(missing.length === 0, `the schema is behind: ${missing.join(", ")}`, "npm run migrate");
  if (settings["synchronous_standby_names"] === "")
    found.push(
      look(
        "database",
        "no synchronous standby: this machine's disk is the only copy of a confirmation",
        'see ops/postgresql.md, "Confirmations on two machines"',
      ),
    );
  if (settings["archive_mode"] === "off")
    found.push(
      look(
        "database",
        "no WAL archive: a restore ends at the last dump",
        'see ops/postgresql.md, "Backups"',
      ),
    );
  const isBad = found.some(({ level }) => level === "bad");
  if (!isBad)
    found.unshift(
      good("database", `PostgreSQL ${version}, commits are durable, schema is current`),
    );
  return found;
}

export async function readDatabase(
  url: string,
  expected: readonly string[],
  connections: { readonly poolMax: number; readonly processes: number },
): Promise<DatabaseFacts> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const [row] = await sql<{ version: string; now: string; replica: boolean }[]>`
      select current_setting('server_version_num') as version,
        extract(epoch from clock_timestamp()) * 1000 as now, pg_is_in_recovery() as replica`;
    const settings = await sql<{ name: string; setting: string }[]>`
      select name, setting from pg_settings where name in ${sql(SETTINGS)}`;
    const [table] = await sql<{ there: boolean }[]>`
      select to_regclass('sira_migrations') is not null as there`;
    const migrated =
      table?.there === true
        ? await sql<{ name: string }[]>`select name from sira_migrations where kind = 'file'`
        : [];
    return {
      version: Math.floor(Number(row?.version) / 10_000),
      settings: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
      isReplica: row?.replica === true,
      migrated: migrated.map(({ name }) => name),
      expected,
      connectionsWanted: connections.poolMax * connections.processes + CONNECTIONS_BESIDES,
      nowMs: Number(row?.now),
    };
  } finally {
    await sql.end({ timeout: 1 });
  }
}
