// Where a person is signed in: kept in a file that only its owner reads, for each user of the machine.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";

const origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    "an origin, without a path",
  );

const credentialsSchema = z.object({ gate: origin, core: origin, key: z.string().min(16) });
export type Credentials = z.infer<typeof credentialsSchema>;

/** What `npm run dev` writes, so that nobody need sign in to a system of their own. */
const DEV_FILE = ".sira/dev.json";

function credentialsFile(env: NodeJS.ProcessEnv): string {
  const base = env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config");
  return join(base, "sira", "credentials.json");
}

/** @throws when what is given is not an origin or a key. @returns the file. */
export function keepCredentials(credentials: Credentials, env: NodeJS.ProcessEnv): string {
  const checked = credentialsSchema.parse(credentials);
  const file = credentialsFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(checked, null, 2)}\n`, { mode: 0o600 });
  return file;
}

export function forgetCredentials(env: NodeJS.ProcessEnv): void {
  rmSync(credentialsFile(env), { force: true });
}

/** Signed in, or beside a running `npm run dev`; undefined: neither. */
export function findCredentials(env: NodeJS.ProcessEnv): Credentials | undefined {
  const file = credentialsFile(env);
  if (existsSync(file)) return credentialsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  if (!existsSync(DEV_FILE)) return undefined;
  const dev: { edge: string; core: string; organizerKey: string } = JSON.parse(
    readFileSync(DEV_FILE, "utf8"),
  );
  return { gate: dev.edge, core: dev.core, key: dev.organizerKey };
}
