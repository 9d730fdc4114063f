// PostgreSQL's own load generator: the same SQL without anything of ours in front.
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export function findPgbench(): void {
  if (spawnSync("pgbench", ["--version"], { stdio: "ignore" }).status === 0) return;
  throw new Error(
    "pgbench is missing: `apt-get install postgresql-contrib` on Debian (in some releases " +
      "postgresql-client), `brew install postgresql` on macOS.",
  );
}

/** Transactions a second of `script` by so many clients. */
export async function runPgbench(options: {
  readonly databaseUrl: string;
  readonly dir: string;
  readonly script: string;
  readonly clients: number;
  readonly seconds: number;
}): Promise<number> {
  const file = join(options.dir, "pgbench.sql");
  writeFileSync(file, options.script);
  const { hostname, port, username, pathname } = new URL(options.databaseUrl);
  const args = ["-n", "-M", "prepared", "-f", file, "-c", String(options.clients), "-j", "2"];
  const child = spawn(
    "pgbench",
    [
      ...args,
      "-T",
      String(options.seconds),
      "-h",
      hostname,
      "-p",
      port,
      "-U",
      username,
      pathname.slice(1),
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => {
      output += bytes.toString();
    });
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("close", () => resolve());
  await promise;
  const tps = /tps = ([\d.]+)/.exec(output)?.[1];
  if (tps === undefined) throw new Error(`pgbench said:\n${output}`);
  return Number(tps);
}
