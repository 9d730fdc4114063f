// `npm run dev`: the whole system on this machine, with two events to look at. Everything it starts
// ends with it, and nothing else does.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { migrate } from "../core/migrate.ts";
import { buildPages } from "./build.ts";
import { createSlotRelease } from "./crowd/release-slot.ts";
import { keepWaiting } from "./crowd/run-crowd.ts";
import { Tally } from "./crowd/tally.ts";
import { keepRunning } from "./demo/keep-running.ts";
import { DEV_USAGE, type DevOptions, findTakenPorts, readDevOptions } from "./demo/options.ts";
import { describeSystem, sayFailure, sayStep } from "./demo/report.ts";
import { ACTIVE_MAX, seedDemo } from "./demo/seed.ts";
import { removePostgresData } from "./services/postgres.ts";
import { createProcesses, endLeftovers, findOwner, type Processes } from "./services/processes.ts";
import { ROOT_DIR, STATE_DIR } from "./services/root.ts";
import { startServices } from "./services.ts";
import { DEVELOPMENT_KEY, ensureKeys } from "./stack/keys.ts";
import { type Stack, startStack } from "./stack.ts";

const RUN_DIR = join(STATE_DIR, "dev");
const KEYS_FILE = join(STATE_DIR, "dev-keys.json");
const ADDRESSES_FILE = join(STATE_DIR, "dev.json");

/** Long enough to look at; a machine that is left alone comes to rest. */
const CROWD_MS = 900_000;

const startedAt = performance.now();
const crowdStop = new AbortController();
let processes: Processes | undefined;
let isStopping = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (isStopping) return;
    console.log("\n  Stopping …");
    void stop(0);
  });
}

try {
  const options = readDevOptions(process.argv.slice(2), process.env);
  if (options === undefined) console.log(DEV_USAGE);
  else if (await mayStart(options)) await run(options);
} catch (error) {
  if (!isStopping) {
    const message = error instanceof Error ? error.message : String(error);
    sayFailure("Sıra could not start.", message.split("\n"));
    await stop(1);
  }
}

async function mayStart(options: DevOptions): Promise<boolean> {
  const owner = findOwner(RUN_DIR);
  if (owner !== undefined) {
    const edge = readRunningEdge();
    sayFailure("Sıra is already running here.", [
      ...(edge === undefined ? [] : [`Its pages are at ${edge}/`]),
      `Stop it with Ctrl-C in its terminal, or: kill ${owner}`,
    ]);
    process.exitCode = 1;
    return false;
  }
  const ended = await endLeftovers(RUN_DIR);
  if (ended.length > 0) sayStep(`ended what a killed run had left: ${ended.join(", ")}`);
  const taken = await findTakenPorts(options.ports);
  if (taken.length === 0) return true;
  sayFailure("A port is taken.", taken);
  process.exitCode = 1;
  return false;
}

async function run(options: DevOptions): Promise<void> {
  if (options.fresh) removeData();
  const owned = createProcesses(RUN_DIR);
  processes = owned;
  sayStep("PostgreSQL and Redis, and the pages …");
  const [services] = await Promise.all([startServices(owned), buildPages()]);
  sayStep("migrations …");
  await migrate(services.databaseUrl);
  sayStep("gate, core and payment simulator …");
  const keys = await ensureKeys(KEYS_FILE, DEVELOPMENT_KEY);
  const { ports, shop } = options;
  const stack = await startStack({
    ...{ processes: owned, services, keys, ports },
    ...(shop === undefined ? {} : { shop }),
  });
  keepRunning(owned, () => void stop(1));
  sayStep("the events demo and demo-draw …");
  const { opensInMs } = options;
  const events = await seedDemo({
    ...stack,
    seats: options.seats,
    now: Date.now(),
    ...(opensInMs === undefined ? {} : { opensInMs }),
  });
  writeAddresses(stack);
  await startCrowd(stack, options.crowd);
  console.log(
    describeSystem({
      ...stack,
      events,
      crowd: options.crowd,
      logs: relative(process.cwd(), join(RUN_DIR, "logs")),
      readyMs: performance.now() - startedAt,
      now: Date.now(),
    }),
  );
}

async function startCrowd(stack: Stack, waiting: number): Promise<void> {
  if (waiting === 0) return;
  const release = await createSlotRelease(stack, stack.keys.coreKeys);
  const signal = AbortSignal.any([crowdStop.signal, AbortSignal.timeout(CROWD_MS)]);
  const shopMs = { min: 8_000, max: 25_000 };
  const options = { edge: stack.edge, event: "demo", signal, release, tally: new Tally(), shopMs };
  void keepWaiting({ ...options, waiting, activeMax: ACTIVE_MAX, absentShare: 0.1 });
}

function writeAddresses(stack: Stack): void {
  const { edge, core, psp, organizerKey, mailbox, smtpUrl, services } = stack;
  const addresses = { edge, core, psp, organizerKey, mailbox, smtpUrl, ...services };
  writeFileSync(ADDRESSES_FILE, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 });
}

function readRunningEdge(): string | undefined {
  if (!existsSync(ADDRESSES_FILE)) return undefined;
  const { edge }: { edge: string } = JSON.parse(readFileSync(ADDRESSES_FILE, "utf8"));
  return edge;
}

function removeData(): void {
  removePostgresData(RUN_DIR);
  for (const path of [RUN_DIR, KEYS_FILE, ADDRESSES_FILE]) {
    rmSync(path, { recursive: true, force: true });
  }
  sayStep(`removed the private data under ${relative(process.cwd(), STATE_DIR) || ROOT_DIR}`);
  for (const name of ["DATABASE_URL", "REDIS_URL"]) {
    if (process.env[name] !== undefined) sayStep(`${name} is yours and was left as it is`);
  }
}

async function stop(code: number): Promise<void> {
  isStopping = true;
  crowdStop.abort();
  if (processes !== undefined) {
    await processes.stopAll();
    rmSync(ADDRESSES_FILE, { force: true });
  }
  process.exit(code);
}
