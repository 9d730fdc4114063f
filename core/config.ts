import { availableParallelism } from "node:os";
import { z } from "zod";
import { timeZoneSchema } from "../shared/contract/events.ts";
import { importKeySet, type KeySet, keySetSchema } from "../shared/token/keys.ts";
import { type OidcProvider, oidcProviderSchema } from "./oidc/grants.ts";

/**
 * The only place of the core that reads the environment. A start with a bad variable fails at once
 * and names every one of them; no secret has a silent default.
 */

const PROCESSES_DEFAULT_MAX = 4;
/** `npm run dev` begins the keys that it makes with this. */
const DEVELOPMENT_KEY = "sira_dev_";

/** What the core signs; each use has keys of its own. */
export const CORE_KEY_USES = ["organizer", "service", "pass", "ticket", "order"] as const;

const origin = z
  .url({ protocol: /^https?$/ })
  .refine((text) => new URL(text).origin === text, "an origin like https://tickets.example");

const originList = z
  .string()
  .default("")
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ""))
  .pipe(z.array(origin).max(50));

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue({ code: "custom", message: "not JSON" });
    return z.NEVER;
  }
});

const keyEntries = json.pipe(keySetSchema);

const port = z.coerce.number().int().min(0).max(65_535);

const flag = z.enum(["true", "false"]).transform((text) => text === "true");

const environment = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("development"),
  CORE_HOST: z.string().min(1).default("127.0.0.1"),
  CORE_PORT: port.default(8788),
  CORE_ORIGIN: origin,
  EDGE_ORIGIN: origin,
  GATE_JWKS_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Origins besides the gate's that may call the core from a browser. */
  SHOP_ORIGINS: originList,
  /** How many proxies of ours stand in front; only so many steps of X-Forwarded-For are believed. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DB_POOL_MAX: z.coerce.number().int().min(2).max(200).default(16),
  REDIS_LOCKS_URL: z.url({ protocol: /^rediss?$/ }),
  REDIS_CACHE_URL: z.url({ protocol: /^rediss?$/ }),
  /** The gate's line, only looked at for metrics and alarms; a cluster's nodes with commas. */
  REDIS_URL: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((url) => url !== ""))
    .pipe(z.array(z.url({ protocol: /^rediss?$/ }))),
  /** Put before every Redis key; tests share one Redis through it. */
  REDIS_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_:-]{0,40}$/)
    .default(""),
  CORE_KEYS: keyEntries,
  CORE_SECRET: z.string().regex(/^[0-9a-f]{64,}$/, "hex, 32 bytes or more"),
  ORGANIZER_KEY: z.string().min(16).max(200),
  /** OpenID providers by which organizers may sign in besides keys. */
  OIDC_PROVIDERS: json.pipe(z.array(oidcProviderSchema).max(10)).default([]),
  PAYMENT_PROVIDER: z.enum(["simulator", "stripe"]).default("simulator"),
  PSP_ORIGIN: origin.optional(),
  PSP_SECRET: z.string().min(8).optional(),
  PSP_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, "begins with whsec_")
    .optional(),
  STRIPE_SECRET_KEY: z.string().min(8).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(8).optional(),
  IDEMPOTENCY_MODE: z.enum(["enforce", "shadow"]).default("enforce"),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).default("Sıra <tickets@localhost>"),
  /** The one port that addresses given by organizers may name; another only in development. */
  OUTBOUND_PORT: port.default(443),
  /** Development and tests: addresses given by organizers may be of this machine, in plain http. */
  OUTBOUND_LOCAL: flag.default(false),
  ALARM_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  REPORT_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Whose calendar days the books are compared by, and whose clock says 02:00 and 07:00. */
  RECONCILIATION_ZONE: timeZoneSchema.default("UTC"),
  /** A bearer token that `/metrics` asks for; without one it is open to whoever reaches the port. */
  METRICS_TOKEN: z.string().min(16).optional(),
  LOG_LEVEL: z.enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"]).default("info"),
  /** Where OpenTelemetry traces go (OTLP over HTTP); none are made without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** The share of requests that are traced, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** How often traces are sent, ms. */
  OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().min(100).max(60_000).default(5_000),
  /** How many processes `npm start` runs behind its port. */
  CORE_PROCESSES: z.coerce.number().int().min(1).max(64).optional(),
  /** Jobs run in every process unless a deployment gives them processes of their own. */
  RUN_JOBS: flag.default(true),
});

type Environment = z.infer<typeof environment>;

const checked = environment.superRefine((env, context) => {
  const missing = (name: keyof Environment, why: string) =>
    context.addIssue({ code: "custom", path: [name], message: why });
  if (env.PAYMENT_PROVIDER === "simulator") {
    for (const name of ["PSP_ORIGIN", "PSP_SECRET", "PSP_WEBHOOK_SECRET"] as const)
      if (env[name] === undefined) missing(name, "needed by the payment simulator");
  } else {
    for (const name of ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"] as const)
      if (env[name] === undefined) missing(name, "needed by Stripe");
  }
  if (env.NODE_ENV !== "production") return;
  if (env.PAYMENT_PROVIDER === "simulator")
    missing("PAYMENT_PROVIDER", "the simulator moves no money: not in production");
  for (const name of ["CORE_ORIGIN", "EDGE_ORIGIN"] as const)
    if (!env[name].startsWith("https:")) missing(name, "https in production");
  for (const { id, issuer } of env.OIDC_PROVIDERS)
    if (!issuer.startsWith("https:")) missing("OIDC_PROVIDERS", `${id}: https in production`);
  if (env.REDIS_PREFIX !== "") missing("REDIS_PREFIX", "only for tests");
  if (env.OUTBOUND_PORT !== 443) missing("OUTBOUND_PORT", "443 in production");
  if (env.OUTBOUND_LOCAL) missing("OUTBOUND_LOCAL", "not in production");
  if (env.ORGANIZER_KEY.startsWith(DEVELOPMENT_KEY))
    missing("ORGANIZER_KEY", "made by npm run dev for development: make another with npm run keys");
  if (env.SMTP_URL === undefined) missing("SMTP_URL", "tickets go by mail: needed in production");
});

export type Config = {
  env: Environment["NODE_ENV"];
  host: string;
  port: number;
  /** Our own origin: `iss` of our tokens, and what a proof's `htu` is compared with. */
  origin: string;
  edgeOrigin: string;
  gateJwksUrl: URL;
  corsOrigins: readonly string[];
  trustedProxies: number;
  database: { url: string; poolMax: number };
  redis: { locksUrl: string; cacheUrl: string; lineUrls: readonly string[]; prefix: string };
  secret: Uint8Array<ArrayBuffer>;
  organizerKey: string;
  oidcProviders: readonly OidcProvider[];
  payments:
    | { provider: "simulator"; origin: string; secret: string; webhookSecret: string }
    | { provider: "stripe"; secretKey: string; webhookSecret: string };
  idempotencyMode: Environment["IDEMPOTENCY_MODE"];
  mail: { smtpUrl: string | undefined; from: string };
  outbound: { port: number; local: boolean };
  alarmWebhookUrl: string | undefined;
  reportWebhookUrl: string | undefined;
  reconciliationZone: string;
  metricsToken: string | undefined;
  logLevel: Environment["LOG_LEVEL"];
  tracing: { endpoint: string; share: number; everyMs: number } | undefined;
  runJobs: boolean;
  keyEntries: Environment["CORE_KEYS"];
};

const hexBytes = (hex: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let i = 0; i < bytes.length; i += 1)
    bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
};

function paymentsOf(env: Environment): Config["payments"] {
  if (env.PAYMENT_PROVIDER === "stripe")
    return {
      provider: "stripe",
      secretKey: env.STRIPE_SECRET_KEY ?? "",
      webhookSecret: env.STRIPE_WEBHOOK_SECRET ?? "",
    };
  return {
    provider: "simulator",
    origin: env.PSP_ORIGIN ?? "",
    secret: env.PSP_SECRET ?? "",
    webhookSecret: env.PSP_WEBHOOK_SECRET ?? "",
  };
}

function tracingOf(env: Environment): Config["tracing"] {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, "");
  return endpoint === undefined
    ? undefined
    : { endpoint, share: env.OTEL_TRACES_SAMPLER_ARG, everyMs: env.OTEL_BSP_SCHEDULE_DELAY };
}

/** @throws one error that names every bad variable; values are never printed. */
export function readConfig(env: Record<string, string | undefined>): Config {
  // A variable set to nothing is one that a person left out.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = checked.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      (issue) => `  ${String(issue.path[0] ?? "environment")}: ${issue.message}`,
    );
    throw new Error(`The configuration is not usable:\n${[...new Set(lines)].join("\n")}`);
  }
  const e = parsed.data;
  return {
    env: e.NODE_ENV,
    host: e.CORE_HOST,
    port: e.CORE_PORT,
    origin: e.CORE_ORIGIN,
    edgeOrigin: e.EDGE_ORIGIN,
    gateJwksUrl: new URL(e.GATE_JWKS_URL ?? `${e.EDGE_ORIGIN}/.well-known/jwks.json`),
    corsOrigins: [...new Set([e.EDGE_ORIGIN, e.CORE_ORIGIN, ...e.SHOP_ORIGINS])],
    trustedProxies: e.TRUSTED_PROXIES,
    database: { url: e.DATABASE_URL, poolMax: e.DB_POOL_MAX },
    redis: {
      locksUrl: e.REDIS_LOCKS_URL,
      cacheUrl: e.REDIS_CACHE_URL,
      lineUrls: e.REDIS_URL,
      prefix: e.REDIS_PREFIX,
    },
    secret: hexBytes(e.CORE_SECRET),
    organizerKey: e.ORGANIZER_KEY,
    oidcProviders: e.OIDC_PROVIDERS,
    payments: paymentsOf(e),
    idempotencyMode: e.IDEMPOTENCY_MODE,
    mail: { smtpUrl: e.SMTP_URL, from: e.MAIL_FROM },
    outbound: { port: e.OUTBOUND_PORT, local: e.OUTBOUND_LOCAL },
    alarmWebhookUrl: e.ALARM_WEBHOOK_URL,
    reportWebhookUrl: e.REPORT_WEBHOOK_URL,
    reconciliationZone: e.RECONCILIATION_ZONE,
    metricsToken: e.METRICS_TOKEN,
    logLevel: e.LOG_LEVEL,
    tracing: tracingOf(e),
    runJobs: e.RUN_JOBS,
    keyEntries: e.CORE_KEYS,
  };
}

export const importKeys = (config: Config): Promise<KeySet> =>
  importKeySet(config.keyEntries, CORE_KEY_USES);

export const readProcessConfig = (): Config => readConfig(process.env);

/** For `npm start`: a process for each core of the machine, up to four, unless it is said. */
export function readSupervisorConfig(env: Record<string, string | undefined> = process.env): {
  processes: number;
} {
  const parsed = environment.shape.CORE_PROCESSES.safeParse(env["CORE_PROCESSES"] || undefined);
  if (!parsed.success) throw new Error("CORE_PROCESSES: a whole number from 1 to 64");
  return { processes: parsed.data ?? Math.min(PROCESSES_DEFAULT_MAX, availableParallelism()) };
}

/** For the migration runner, which needs nothing else. */
export function readDatabaseUrl(env: Record<string, string | undefined> = process.env): string {
  const parsed = environment.shape.DATABASE_URL.safeParse(env["DATABASE_URL"]);
  if (!parsed.success) throw new Error("DATABASE_URL: the address of a PostgreSQL database");
  return parsed.data;
}
