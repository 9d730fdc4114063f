import { setTimeout as sleep } from "node:timers/promises";
import { serve } from "@hono/node-server";
import { createApp } from "./app.ts";
import { type Config, readProcessConfig } from "./config.ts";
import { closeDeps, createDeps, createLog } from "./deps.ts";
import { createLoad } from "./http/load.ts";
import { runEvery, startJobs } from "./jobs/schedule.ts";
import { loadJob } from "./jobs/share-load.ts";
import { isDevelopmentMailbox } from "./mail/mailbox-check.ts";
import { createPaymentProvider } from "./payments/create-provider.ts";
import { readLocksFacts, requireNoEviction } from "./redis/check.ts";

/** Starts the core, and stops it without cutting anybody off. */

/**
 * A provider may take longer with a confirm (25 s). Such an attempt is left as SENT, which is an honest
 * state: the resolver of another process inquires.
 */
const DRAIN_MS = 18_000;
/** Connections that are kept open hear with their next answer that it was the last one on them. */
const FAREWELL_MS = 500;

function readConfigOrEnd(): Config {
  try {
    return readProcessConfig();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

const config = readConfigOrEnd();
// The mark of the module that lets tests stop a process in the middle of a payment.
if (Symbol.for("sira.fail-points") in globalThis && config.env !== "test") {
  console.error("The fail points of the tests are loaded: this process serves nobody.");
  process.exit(1);
}
if (config.env === "production" && (await isDevelopmentMailbox(config.mail.smtpUrl ?? ""))) {
  console.error(
    "The configuration is not usable:\n" +
      "  SMTP_URL: the development mailbox delivers nothing: name a real server",
  );
  process.exit(1);
}
const log = createLog(config);
const deps = await createDeps(config, { payments: createPaymentProvider(config), log });
const locks = await readLocksFacts(deps.redis.locks);
requireNoEviction(locks);
log.info({ locks }, "redis for locks");

const load = createLoad();
const app = createApp(deps, load);
const server = serve({ fetch: app.fetch, hostname: config.host, port: config.port }, (address) =>
  log.info({ port: address.port }, "the core listens"),
);
const jobs = config.runJobs ? startJobs(deps, load) : runEvery(deps, loadJob(deps, load));

type SetHeader = (name: string, value: string) => unknown;

let stopping = false;
async function stop(signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, "stopping");
  const hard = setTimeout(() => process.exit(1), DRAIN_MS);
  hard.unref();
  server.prependListener("request", (_request: unknown, response: { setHeader: SetHeader }) => {
    response.setHeader("connection", "close");
  });
  await sleep(FAREWELL_MS);
  const closed = new Promise((resolve) => server.close(resolve));
  // Streams never end by themselves; their pages come back to another process.
  await deps.live.close();
  await jobs.stop();
  await closed;
  await closeDeps(deps);
  log.info("stopped");
  process.exit(0);
}
process.on("SIGTERM", () => void stop("SIGTERM"));
process.on("SIGINT", () => void stop("SIGINT"));
process.on("unhandledRejection", (error) => log.error({ err: error }, "an unhandled rejection"));
