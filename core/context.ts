import type { Logger } from "pino";
import type { newId, OrderId } from "../shared/ids.ts";
import type { Role, ServiceScope } from "../shared/token/claims.ts";
import type { KeySet } from "../shared/token/keys.ts";
import type { Admissions } from "./admission/admissions.ts";
import type { Config } from "./config.ts";
import type { Db } from "./db/db.ts";
import type { GateClient } from "./jobs/gate.ts";
import type { Limits } from "./limits/limits.ts";
import type { Live } from "./live/live.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { Outbound } from "./outbound/outbound.ts";
import type { PaymentProvider } from "./payments/provider.ts";
import type { Redis } from "./redis/redis.ts";
import type { Tracing } from "./tracing/tracing.ts";

/** `clock.now()` is ms since 1970. Expiry of holds never uses it: there the database clock rules. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

export type Ids = { newId: typeof newId };

export type Log = Logger;

/** Who acts. A verb that needs one kind takes that kind, so a wrong caller is a type error. */
export type FanActor = {
  kind: "fan";
  event: string;
  /** `sub` of the admission: the place in the line. */
  place: string;
  epoch: number;
  gen: number;
  jti: string;
  /** Thumbprint of the key that the admission is bound to; none in a `binding: none` room. */
  jkt: string | undefined;
  /** `iss|sub` of the entry pass, when there was one. */
  account: string | undefined;
  /** Whom limits count: the account, else the place. */
  subject: string;
  /** ms since 1970; when the admission was signed and when it ends. */
  issuedAtMs: number;
  expiresAtMs: number;
};
export type BuyerActor = { kind: "buyer"; order: OrderId };
export type OrganizerActor = {
  kind: "organizer";
  id: string;
  role: Role;
  /** Event ids, or `*`. */
  events: readonly string[];
};
export type ServiceActor = {
  kind: "service";
  id: string;
  scopes: readonly ServiceScope[];
  events: readonly string[];
};
export type JobActor = { kind: "job"; name: string };
export type WebhookActor = { kind: "webhook"; provider: string };
/** A person who is signed in. `subject` is how limits and orders name them: `iss|sub`. */
export type AccountActor = { kind: "account"; id: string; subject: string };
export type AnyoneActor = { kind: "anyone" };

export type Actor =
  | FanActor
  | BuyerActor
  | OrganizerActor
  | ServiceActor
  | JobActor
  | WebhookActor
  | AccountActor
  | AnyoneActor;

/** Made once at start (see `deps.ts`) and handed down; there is no module-level client. */
export type Deps = {
  config: Config;
  db: Db;
  redis: Redis;
  clock: Clock;
  ids: Ids;
  payments: PaymentProvider;
  log: Log;
  keys: KeySet;
  metrics: Metrics;
  admissions: Admissions;
  live: Live;
  gate: GateClient;
  /** `undefined` where no SMTP server is configured. */
  mailer: Mailer | undefined;
  limits: Limits;
  /** For every address that somebody outside gave us. */
  outbound: Outbound;
  tracing: Tracing;
};

/** What every verb takes first: `verbNoun(ctx, input)`. */
export type Ctx<Who extends Actor = Actor> = Deps & { actor: Who; requestId: string };

export const ctxFor = <Who extends Actor>(
  deps: Deps,
  who: { actor: Who; requestId: string; log?: Log },
): Ctx<Who> => ({
  ...deps,
  actor: who.actor,
  requestId: who.requestId,
  log: who.log ?? deps.log.child({ requestId: who.requestId }),
});

/** One word for the audit log and for idempotency scopes. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "fan":
      return `fan:${actor.subject}`;
    case "buyer":
      return `buyer:${actor.order}`;
    case "organizer":
      return `organizer:${actor.id}`;
    case "service":
      return `service:${actor.id}`;
    case "job":
      return `job:${actor.name}`;
    case "webhook":
      return `webhook:${actor.provider}`;
    case "account":
      return `account:${actor.id}`;
    case "anyone":
      return "anyone";
  }
}
