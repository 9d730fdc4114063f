// The whole system on this machine: gate on workerd, core, payment simulator. `npm run dev` and the
// tests start it the same way; only ports, keys and data differ.
import { join } from "node:path";
import { type Gate, startGate } from "./gate/start-gate.ts";
import { findFreePort } from "./services/ports.ts";
import { type Processes, type Program, waitUntilReady } from "./services/processes.ts";
import { ROOT_DIR } from "./services/root.ts";
import type { Services } from "./services.ts";
import type { DeploymentKeys } from "./stack/keys.ts";

export interface Ports {
  readonly edge: number;
  readonly core: number;
  readonly psp: number;
  /** The mailbox's web view. */
  readonly mailbox: number;
}

export interface StackOptions {
  readonly processes: Processes;
  readonly services: Services;
  readonly keys: DeploymentKeys;
  readonly ports?: Ports;
  readonly nodeEnv?: "development" | "test";
  /** The origin of a shop that is not the core. */
  readonly shop?: string;
  readonly gateEnv?: Readonly<Record<string, string>>;
  readonly coreEnv?: Readonly<Record<string, string>>;
  readonly pspEnv?: Readonly<Record<string, string>>;
}

export interface Stack {
  readonly edge: string;
  readonly core: string;
  readonly psp: string;
  /** Where the mails of this system can be read. */
  readonly mailbox: string;
  readonly smtpUrl: string;
  readonly organizerKey: string;
  readonly services: Services;
  readonly keys: DeploymentKeys;
  readonly programs: {
    readonly gate: Program;
    readonly core: Program;
    readonly psp: Program;
    readonly mailbox: Program;
  };
  /** One more core process on the same database and Redis. */
  startSecondCore(): Promise<{ readonly origin: string; readonly program: Program }>;
}

export async function startStack(options: StackOptions): Promise<Stack> {
  const ports = options.ports ?? {
    edge: await findFreePort(),
    core: await findFreePort(),
    psp: await findFreePort(),
    mailbox: await findFreePort(),
  };
  const origins = {
    edge: `http://127.0.0.1:${ports.edge}`,
    core: `http://127.0.0.1:${ports.core}`,
    psp: `http://127.0.0.1:${ports.psp}`,
  };
  const mailPorts = { web: ports.mailbox, smtp: await findFreePort() };
  const smtpUrl = `smtp://127.0.0.1:${mailPorts.smtp}`;
  const coreEnv = {
    SMTP_URL: smtpUrl,
    ...buildCoreEnv(options, origins),
  };
  const [mailbox, psp, core, gate] = await Promise.all([
    startMailboxOf(options.processes, mailPorts),
    startPsp(options, origins, ports.psp),
    startCore(options.processes, "core", coreEnv, ports.core),
    startGateOf(options, origins, ports.edge),
  ]);
  return {
    ...origins,
    mailbox: `http://127.0.0.1:${mailPorts.web}`,
    smtpUrl,
    organizerKey: options.keys.organizerKey,
    services: options.services,
    keys: options.keys,
    programs: { gate: gate.program, core, psp, mailbox },
    async startSecondCore() {
      const port = await findFreePort();
      const program = await startCore(options.processes, `core-${port}`, coreEnv, port);
      return { origin: `http://127.0.0.1:${port}`, program };
    },
  };
}

type Origins = { readonly edge: string; readonly core: string; readonly psp: string };

function buildCoreEnv(options: StackOptions, origins: Origins): Record<string, string> {
  const { keys, services } = options;
  return {
    NODE_ENV: options.nodeEnv ?? "development",
    CORE_ORIGIN: origins.core,
    EDGE_ORIGIN: origins.edge,
    PSP_ORIGIN: origins.psp,
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    REDIS_LOCKS_URL: services.redisLocksUrl,
    REDIS_CACHE_URL: services.redisCacheUrl,
    CORE_KEYS: JSON.stringify(keys.coreKeys),
    CORE_SECRET: keys.coreSecret,
    ORGANIZER_KEY: keys.organizerKey,
    PSP_SECRET: keys.pspSecret,
    PSP_WEBHOOK_SECRET: keys.pspWebhookSecret,
    IDEMPOTENCY_MODE: "enforce",
    OUTBOUND_LOCAL: "true",
    ...options.coreEnv,
  };
}

async function startCore(
  processes: Processes,
  name: string,
  env: Record<string, string>,
  port: number,
): Promise<Program> {
  const program = processes.start({
    name,
    command: process.execPath,
    args: [join(ROOT_DIR, "core/main.ts")],
    env: { ...baseEnv(), ...env, CORE_PORT: String(port) },
  });
  await waitUntilReady(program, () => answersOk(`http://127.0.0.1:${port}/readyz`));
  return program;
}

async function startMailboxOf(
  processes: Processes,
  ports: { readonly web: number; readonly smtp: number },
): Promise<Program> {
  const program = processes.start({
    name: "mailbox",
    command: process.execPath,
    args: [join(ROOT_DIR, "tools/mailbox/main.ts")],
    env: {
      ...baseEnv(),
      MAILBOX_PORT: String(ports.web),
      MAILBOX_SMTP_PORT: String(ports.smtp),
    },
  });
  await waitUntilReady(program, () => answersOk(`http://127.0.0.1:${ports.web}/mails.json`));
  return program;
}

async function startPsp(options: StackOptions, origins: Origins, port: number): Promise<Program> {
  const program = options.processes.start({
    name: "psp",
    keepsInMemory: true,
    command: process.execPath,
    args: [join(ROOT_DIR, "tools/psp/main.ts")],
    env: {
      ...baseEnv(),
      PSP_PORT: String(port),
      CORE_ORIGIN: origins.core,
      PSP_SECRET: options.keys.pspSecret,
      PSP_WEBHOOK_SECRET: options.keys.pspWebhookSecret,
      ...options.pspEnv,
    },
  });
  await waitUntilReady(program, () => answersOk(`${origins.psp}/_charges`));
  return program;
}

async function startGateOf(options: StackOptions, origins: Origins, port: number): Promise<Gate> {
  const { keys, services, processes } = options;
  const gate = await startGate({
    processes,
    port,
    env: {
      EDGE_ORIGIN: origins.edge,
      CORE_ORIGIN: origins.core,
      REDIS_URL: services.redisUrl,
      GATE_KEYS: JSON.stringify(keys.gateKeys),
      ROOM_SECRET: keys.roomSecret,
      PUSH_KEY: JSON.stringify(keys.pushKey),
      ISSUERS: JSON.stringify([
        ...trustedIssuers(origins.core),
        ...(options.shop === undefined ? [] : [shopIssuer(options.shop)]),
      ]),
      ...(options.shop === undefined ? {} : { SHOP_ORIGINS: options.shop }),
      ...options.gateEnv,
    },
  });
  await waitUntilReady(gate.program, () => answersOk(`${origins.edge}/readyz`));
  return gate;
}

/** The gate believes this core about organizers, its own service calls, and entry passes. */
export function trustedIssuers(coreOrigin: string): readonly object[] {
  const from = { iss: coreOrigin, jwksUrl: `${coreOrigin}/.well-known/jwks.json`, events: ["*"] };
  return [
    { ...from, use: "organizer", aud: "sira", roles: ["owner", "operator", "viewer"] },
    { ...from, use: "service", aud: "gate" },
    { ...from, use: "pass", aud: "room" },
  ];
}

function shopIssuer(shop: string): object {
  const jwksUrl = `${shop}/.well-known/jwks.json`;
  return { iss: shop, jwksUrl, use: "service", aud: "gate", events: ["*"] };
}

/** Children see our PATH and nothing else of the caller's settings. */
function baseEnv(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "" };
}

async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.arrayBuffer();
  return response.ok;
}
