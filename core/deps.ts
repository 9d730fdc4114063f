import pino from "pino";
import { newId } from "../shared/ids.ts";
import { remoteKeys } from "../shared/token/remote-keys.ts";
import { createAdmissions } from "./admission/create.ts";
import { lastingKeys } from "./admission/gate-keys.ts";
import { type Config, importKeys } from "./config.ts";
import { type Clock, type Deps, type Log, systemClock } from "./context.ts";
import { createDb } from "./db/connect.ts";
import { createGateClient } from "./jobs/gate.ts";
import { createLimits } from "./limits/limits.ts";
import { createLive } from "./live/create.ts";
import { createMailer } from "./mail/mailer.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { fetchOwn } from "./outbound/fetch-own.ts";
import { createOutbound } from "./outbound/outbound.ts";
import type { PaymentProvider } from "./payments/provider.ts";
import { connectRedis } from "./redis/connect.ts";
import { tracedDb, tracedPayments } from "./tracing/traced.ts";
import { createTracing } from "./tracing/tracing.ts";

/** Nothing that could be a credential or a card reaches a log line, wherever it hides. */
const REDACTED = ["authorization", "cookie", "dpop", "token", "key", "secret", "password"].flatMap(
  (name) => [name, `*.${name}`, `*.*.${name}`],
);

export const createLog = (config: Pick<Config, "logLevel">): Log =>
  pino({ level: config.logLevel, redact: { paths: REDACTED, censor: "[kept back]" } });

/** Everything a process holds, made once; `closeDeps` gives it back. */
export async function createDeps(
  config: Config,
  own: { payments: PaymentProvider; clock?: Clock; log?: Log },
): Promise<Deps> {
  const clock = own.clock ?? systemClock;
  const log = own.log ?? createLog(config);
  const metrics = createMetrics();
  const keys = await importKeys(config);
  const tracing = createTracing(config.tracing);
  const { url, poolMax } = config.database;
  const db = tracedDb(createDb({ url, poolMax, metrics }), tracing);
  const redis = connectRedis(config.redis, { log, metrics });
  const outbound = createOutbound({ ...config.outbound, own: [config.gateJwksUrl.origin] });
  const admissions = await createAdmissions({
    origin: config.origin,
    edgeOrigin: config.edgeOrigin,
    secret: config.secret,
    findGateKey: lastingKeys(remoteKeys(config.gateJwksUrl, fetchOwn(outbound)), log),
    redis,
    db,
    clock,
  });
  const live = createLive({ db, cache: redis.cache, clock, log, metrics });
  const { origin, edgeOrigin } = config;
  const gate = createGateClient({ origin, edgeOrigin, keys, clock, log });
  const ids = { newId };
  const payments = tracedPayments(own.payments, tracing);
  const mailer = createMailer(config);
  const limits = createLimits(redis.locks);
  const made = { config, db, redis, clock, ids, payments, log, keys, metrics };
  return { ...made, admissions, live, gate, mailer, limits, outbound, tracing };
}

export async function closeDeps(deps: Deps): Promise<void> {
  await deps.live.close();
  deps.mailer?.close();
  await deps.redis.close();
  await deps.db.close();
  await deps.tracing.close();
}
