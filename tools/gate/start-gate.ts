// Starts the gate on bare workerd: builds the Worker, writes the configuration, waits until it
// answers. The same for development, tests, benchmarks and self-hosting.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { join } from "node:path";
import type { ForeignScripts } from "../../edge/pages/delivery.ts";
import { STRIPE_SCRIPT } from "../../shared/stripe-script.ts";
import { TURNSTILE_SCRIPT } from "../../shared/turnstile-script.ts";
import { findFreePort } from "../services/ports.ts";
import { type Processes, type Program, waitUntilReady } from "../services/processes.ts";
import { ROOT_DIR } from "../services/root.ts";
import { readAssets } from "./assets.ts";
import { bundleWorker } from "./bundle.ts";
import { renderWorkerdConfig } from "./workerd-config.ts";

export interface GateOptions {
  readonly processes: Processes;
  /** The Worker's variables; EDGE_ORIGIN is set from the port where it is missing. */
  readonly env: Readonly<Record<string, string | undefined>> & { readonly CORE_ORIGIN: string };
  readonly port?: number;
  readonly host?: string;
  /** Bundles, configuration and the Durable Objects' storage. Kept when the gate stops. */
  readonly dir?: string;
  readonly assetsDir?: string;
  readonly entry?: string;
  readonly durableObjects?: Readonly<Record<string, string>>;
  /** PEM of an authority that Redis's or another server's certificate may be signed by. */
  readonly trustedCertificates?: readonly string[];
}

export interface Gate {
  readonly origin: string;
  readonly port: number;
  readonly pid: number;
  readonly program: Program;
  stop(): Promise<void>;
}

// By `require`, since Node and vitest disagree on what the default of a CommonJS package is.
const workerd: { readonly default: string } = createRequire(import.meta.url)("workerd");
const DURABLE_OBJECTS = { ROOM: "Room", DOOR: "Door", DIRECTORY: "Directory" };
export const ASSETS_DIR = join(ROOT_DIR, "edge/public");

export async function startGate(options: GateOptions): Promise<Gate> {
  const port = options.port ?? (await findFreePort());
  const host = options.host ?? "127.0.0.1";
  const dir = options.dir ?? join(options.processes.dir, "gate");
  const storageDir = join(dir, "objects");
  const assetsDir = findAssets(options.assetsDir ?? ASSETS_DIR, dir);
  mkdirSync(storageDir, { recursive: true });
  const gateBundle = join(dir, "gate.js");
  const frontBundle = join(dir, "front.js");
  await Promise.all([
    bundleWorker(options.entry ?? "edge/worker.ts", gateBundle),
    bundleWorker("tools/gate/static-front.ts", frontBundle),
  ]);
  const origin = options.env["EDGE_ORIGIN"] ?? `http://127.0.0.1:${port}`;
  const variables = definedOnly({ ...options.env, EDGE_ORIGIN: origin });
  const configFile = join(dir, "workerd.capnp");
  const config = renderWorkerdConfig({
    port,
    host,
    ...readCompatibility(),
    durableObjects: options.durableObjects ?? DURABLE_OBJECTS,
    variables: Object.keys(variables),
    gateBundle: "gate.js",
    frontBundle: "front.js",
    assetsDir,
    assetManifest: JSON.stringify(
      readAssets(assetsDir, options.env.CORE_ORIGIN, foreignScriptsOf(options.env)),
    ),
    storageDir,
    proxyHosts: JSON.stringify(proxyHostsOf(options.env["PROXY_HOSTS"])),
    outboundPrivate: origin.startsWith("http:"),
    trustedCertificates: options.trustedCertificates ?? [],
  });
  writeFileSync(configFile, config);
  const program = options.processes.start({
    name: "gate",
    command: workerd.default,
    args: ["serve", configFile, "config"],
    cwd: dir,
    env: { PATH: process.env["PATH"], ...variables },
  });
  await waitUntilReady(program, () => accepts(port));
  return { origin, port, pid: program.pid, program, stop: () => program.stop() };
}

/** The date and flags that Cloudflare is asked for are the ones used here. */
function readCompatibility(): { compatibilityDate: string; compatibilityFlags: string[] } {
  const source = readFileSync(join(ROOT_DIR, "wrangler.toml"), "utf8");
  const date = /^compatibility_date\s*=\s*"([\d-]+)"/m.exec(source)?.[1];
  const flags = /^compatibility_flags\s*=\s*\[([^\]]*)\]/m.exec(source)?.[1];
  if (date === undefined || flags === undefined) {
    throw new Error("wrangler.toml must set compatibility_date and compatibility_flags");
  }
  const compatibilityFlags = [...flags.matchAll(/"([^"]+)"/g)].flatMap(([, flag]) => flag ?? []);
  return { compatibilityDate: date, compatibilityFlags };
}

/** `host=event,…`, as the gate itself reads it; what is wrong with it is the gate's to say. */
function proxyHostsOf(pairs: string | undefined): string[] {
  return (pairs ?? "")
    .split(",")
    .flatMap((pair) => pair.trim().split("=")[0] ?? [])
    .filter((host) => host !== "");
}

/** Only where a key is configured may a page load the script that goes with it. */
function foreignScriptsOf(env: GateOptions["env"]): ForeignScripts {
  const of = (key: string, script: string, own: string) =>
    (env[key] ?? "") === "" ? undefined : env[script] || own;
  const stripe = of("STRIPE_PUBLISHABLE_KEY", "STRIPE_SCRIPT", STRIPE_SCRIPT);
  const turnstile = of("TURNSTILE_SITE_KEY", "TURNSTILE_SCRIPT", TURNSTILE_SCRIPT);
  return { ...(stripe ? { stripe } : {}), ...(turnstile ? { turnstile } : {}) };
}

function findAssets(assetsDir: string, dir: string): string {
  if (existsSync(assetsDir)) return assetsDir;
  const empty = join(dir, "no-assets");
  mkdirSync(empty, { recursive: true });
  return empty;
}

function definedOnly(env: GateOptions["env"]): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined) result[name] = value;
  }
  return result;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
