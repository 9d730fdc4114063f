// Whom the doctor looks at: the system of this environment, or the one that `npm run dev` started.
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { type Config, readConfig, readSupervisorConfig } from "../../core/config.ts";

const DEV_FILE = ".sira/dev.json";

const devSchema = z.object({
  edge: z.string(),
  core: z.string(),
  psp: z.string(),
  organizerKey: z.string(),
  databaseUrl: z.string(),
  redisUrl: z.string(),
  redisLocksUrl: z.string(),
  redisCacheUrl: z.string(),
  smtpUrl: z.string(),
});

export interface Targets {
  readonly isProduction: boolean;
  readonly gate: string;
  readonly core: string;
  readonly databaseUrl: string;
  readonly redis: {
    readonly line: string | undefined;
    readonly locks: string;
    readonly cache: string;
  };
  readonly organizerKey: string;
  readonly payments: Config["payments"];
  readonly smtpUrl: string | undefined;
  readonly connections: { readonly poolMax: number; readonly processes: number };
}

/** @throws with every bad variable named, when there is neither a usable environment nor a dev system. */
export function findTargets(env: Record<string, string | undefined>): Targets {
  if (env["DATABASE_URL"] === undefined && existsSync(DEV_FILE)) return readDevTargets();
  const config = readConfig(env);
  return {
    isProduction: config.env === "production",
    gate: config.edgeOrigin,
    core: config.origin,
    databaseUrl: config.database.url,
    redis: {
      line: config.redis.lineUrls[0],
      locks: config.redis.locksUrl,
      cache: config.redis.cacheUrl,
    },
    organizerKey: config.organizerKey,
    payments: config.payments,
    smtpUrl: config.mail.smtpUrl,
    connections: { poolMax: config.database.poolMax, ...readSupervisorConfig(env) },
  };
}

function readDevTargets(): Targets {
  const dev = devSchema.parse(JSON.parse(readFileSync(DEV_FILE, "utf8")));
  return {
    isProduction: false,
    gate: dev.edge,
    core: dev.core,
    databaseUrl: dev.databaseUrl,
    redis: { line: dev.redisUrl, locks: dev.redisLocksUrl, cache: dev.redisCacheUrl },
    organizerKey: dev.organizerKey,
    payments: { provider: "simulator", origin: dev.psp, secret: "", webhookSecret: "" },
    smtpUrl: dev.smtpUrl,
    connections: { poolMax: 16, processes: 1 },
  };
}
