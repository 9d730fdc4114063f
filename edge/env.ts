import { z } from "zod";
import { type BeaconChain, chainHashOf, QUICKNET } from "../shared/draw/beacon.ts";
import { beaconChainSchema } from "../shared/draw/evidence.ts";
import { STRIPE_SCRIPT } from "../shared/stripe-script.ts";
import { ROLES } from "../shared/token/claims.ts";
import { importKeySet, type KeySet, keySetSchema } from "../shared/token/keys.ts";
import { type Nonces, nonces } from "../shared/token/nonce.ts";
import { remoteKeys } from "../shared/token/remote-keys.ts";
import type { KeyFinder } from "../shared/token/verify.ts";
import { TURNSTILE_SCRIPT } from "../shared/turnstile-script.ts";
import type { Door } from "./door/door.ts";
import { importMac, macOf } from "./guard/mac.ts";
import { judgeOutbound, type Outbound, openOutbound } from "./http/outbound.ts";
import type { Directory } from "./room/directory.ts";
import type { Room } from "./room/room.ts";
import { PUSH_HOSTS_DEFAULT } from "./wake/endpoint.ts";
import { type PushKey, pushKeyOf, pushKeySchema } from "./wake/push-key.ts";

/** The only place where the gate reads its bindings. `wrangler.toml` is compared with it by a test. */

export type Bindings = {
  ROOM: DurableObjectNamespace<Room>;
  DOOR: DurableObjectNamespace<Door>;
  DIRECTORY: DurableObjectNamespace<Directory>;
  ASSETS: { fetch(request: Request): Promise<Response> };
  /** Bare workerd's network without private addresses; Cloudflare has no other one. */
  OUTBOUND?: { fetch(url: URL, init: RequestInit): Promise<Response> };
};

/** Bindings and variables as the runtime gives them; nobody but {@link readConfig} looks at the latter. */
export type Env = Bindings & { [variable in VariableName]?: string };

const ROOM_SECRET_BYTES_MIN = 32;

const originSchema = z
  .url({ protocol: /^https?$/ })
  .refine((text) => new URL(text).origin === text, "an origin, without a path");

const jsonOf = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "not valid JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);

const issuerSchema = z
  .strictObject({
    iss: z.string().min(1).max(300),
    jwksUrl: z.url({ protocol: /^https?$/ }),
    use: z.enum(["organizer", "service", "pass"]),
    aud: z.string().min(1).max(120),
    events: z.array(z.string()).min(1),
    roles: z.array(z.enum(ROLES)).optional(),
  })
  .readonly();

const listSchema = (item: z.ZodString | z.ZodURL) =>
  z
    .string()
    .transform((value) =>
      value
        .split(",")
        .map((text) => text.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item));

const originsSchema = listSchema(originSchema);

const isRedisUrl = (text: string): boolean =>
  /^rediss?:\/\/[^/]/.test(text.trim()) && URL.canParse(text.trim());

/** Cloudflare's names for where a Durable Object may be placed. */
const LOCATIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;

export const variablesSchema = z.object({
  EDGE_ORIGIN: originSchema,
  CORE_ORIGIN: originSchema,
  /**
   * `redis://` or `rediss://` (TLS), with user and password where the server asks for them. A cluster is
   * named by any of its nodes, or several, separated by commas; a node found that way is asked with the
   * first address's user, password and TLS.
   */
  REDIS_URL: z
    .string()
    .refine(
      (text) => text.split(",").every(isRedisUrl),
      "redis://… or rediss://…, several nodes of one cluster separated by commas",
    ),
  REDIS_PREFIX: z.string().max(64).default(""),
  GATE_KEYS: jsonOf(keySetSchema),
  ROOM_SECRET: z
    .string()
    .regex(/^(?:[0-9a-fA-F]{2})+$/, "hex")
    .refine(
      (text) => text.length >= ROOM_SECRET_BYTES_MIN * 2,
      `at least ${ROOM_SECRET_BYTES_MIN} bytes`,
    ),
  ISSUERS: jsonOf(z.array(issuerSchema).max(64)),
  /** Origins of shops that may call the gate from a browser, separated by commas. */
  SHOP_ORIGINS: originsSchema.default([]),
  /** Sites that a room in proxy mode may stand in front of, separated by commas. */
  PROXY_ORIGINS: originsSchema.default([]),
  /** Which public host shows which room's site: `host=event`, separated by commas. */
  PROXY_HOSTS: listSchema(
    z.string().regex(/^[a-z0-9.:-]+=[a-z0-9-]+$/, "host=event, in lower case"),
  ).default([]),
  /**
   * Proxies before a self-hosted gate whose `cf-connecting-ip` is believed: addresses or networks
   * (`10.0.0.0/8`), separated by commas. On Cloudflare it is Cloudflare's own and this is not read.
   */
  TRUSTED_PEERS: listSchema(
    z.string().regex(/^[0-9a-fA-F.:]+(\/\d{1,3})?$/, "an address or a network"),
  ).default(["127.0.0.1", "::1"]),
  /** Hosts of drand relays that a room may name, separated by commas. */
  BEACON_HOSTS: listSchema(z.string().max(255)).default(["api.drand.sh"]),
  /** Where Room and Doors are placed: as near to Redis as can be. Empty: near the first request. */
  DOOR_LOCATION: z.enum(["", ...LOCATIONS]).default(""),
  /** JWK of the VAPID key (RFC 8292); without one no browser is offered Web Push. */
  PUSH_KEY: z.union([z.literal("").transform(() => undefined), jsonOf(pushKeySchema)]).optional(),
  /** Hosts of push services, separated by commas; with a leading dot, all hosts below. */
  PUSH_HOSTS: listSchema(z.string().max(255)).default([...PUSH_HOSTS_DEFAULT]),
  /** For rooms with `challenge: turnstile`; without a secret no room may have it. */
  TURNSTILE_SITE_KEY: z.string().max(100).default(""),
  TURNSTILE_SECRET: z.string().max(200).default(""),
  /** A verifier other than Cloudflare's own. */
  TURNSTILE_URL: z.union([z.literal(""), z.url({ protocol: /^https?$/ })]).default(""),
  /** A script other than Cloudflare's own, which the page of the check then may load. */
  TURNSTILE_SCRIPT: z.union([z.literal(""), z.url({ protocol: /^https?$/ })]).default(""),
  /** Where the core takes cards with Stripe: the payment page then shows Stripe's own form. */
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^(pk_(test|live)_\w{1,200})?$/, "begins with pk_test_ or pk_live_")
    .default(""),
  /** Stripe.js from elsewhere, for tests; the page's policy has to allow the same address. */
  STRIPE_SCRIPT: z.union([z.literal(""), z.url({ protocol: /^https?$/ })]).default(""),
  /** The drand chain of this deployment's draws: what its relays answer under `/info` is not believed. */
  BEACON_CHAIN: jsonOf(
    z
      .custom<BeaconChain>((value) => beaconChainSchema.safeParse(value).success, "a drand chain")
      .refine((chain) => chainHashOf(chain) === chain.hash, "its hash is not that of its members"),
  ).default(QUICKNET),
});

type VariableName = keyof z.input<typeof variablesSchema>;

/** Which variables a deployment must give as secrets; all others stand in `wrangler.toml`. */
export const SECRET_VARIABLES = [
  "GATE_KEYS",
  "ROOM_SECRET",
  "REDIS_URL",
  "TURNSTILE_SECRET",
  "PUSH_KEY",
] as const;
export const BINDING_NAMES = ["ROOM", "DOOR", "DIRECTORY", "ASSETS"] as const;

export type Issuer = z.infer<typeof issuerSchema> & { find: KeyFinder };

export type GateConfig = {
  edgeOrigin: string;
  coreOrigin: string;
  /** Cookies carry `__Host-` and `Secure` only where the page itself is secure. */
  secure: boolean;
  redisUrl: string;
  redisPrefix: string;
  keys: KeySet;
  /** HMAC key of place ids and cookies. */
  mac: CryptoKey;
  nonces: Nonces;
  issuers: readonly Issuer[];
  shopOrigins: readonly string[];
  proxyOrigins: readonly string[];
  /** Public host of a proxied site → its event. */
  proxyHosts: ReadonlyMap<string, string>;
  beaconHosts: readonly string[];
  pushKey: PushKey | undefined;
  pushHosts: readonly string[];
  trustedPeers: readonly string[];
  /** The one way out to hosts of others. */
  outbound: Outbound;
  /** Signs challenges and their answers. */
  challengeSecret: string;
  turnstile: { siteKey: string; secret: string; script: string; url?: string };
  /** What the payment page needs for Stripe's form; none where cards are not taken with it. */
  stripe?: { key: string; script: string };
  /** For `get` of a Room or a Door. */
  placing: { locationHint?: DurableObjectLocationHint };
  beaconChain: BeaconChain;
};

export class ConfigError extends Error {}

const parsed = new WeakMap<Env, Promise<GateConfig>>();

/** Parsed once for each isolate. @throws {ConfigError} that names every bad variable. */
export function readConfig(env: Env): Promise<GateConfig> {
  const known = parsed.get(env);
  if (known) return known;
  const config = parseVariables(env, env);
  parsed.set(env, config);
  return config;
}

/** Proxied sites have hosts of their own, which queue page, console and API never share. */
function proxyHostsOf(pairs: readonly string[], ownHost: string): ReadonlyMap<string, string> {
  const hosts = new Map<string, string>();
  for (const pair of pairs) {
    const [host = "", event = ""] = pair.split("=");
    if (host === ownHost)
      throw new ConfigError("The gate cannot start. PROXY_HOSTS: the gate's own host is no site");
    hosts.set(host, event);
  }
  return hosts;
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i += 1)
    bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
};

/** @param variables what a deployment gives, unchecked. */
export async function parseVariables(
  variables: object,
  bindings: Partial<Bindings> = {},
): Promise<GateConfig> {
  const result = variablesSchema.safeParse(variables);
  if (!result.success) {
    const faults = result.error.issues.map(
      (issue) => `${issue.path.join(".") || "environment"}: ${issue.message}`,
    );
    throw new ConfigError(`The gate cannot start. ${faults.join("; ")}`);
  }
  const { data } = result;
  const secure = data.EDGE_ORIGIN.startsWith("https:");
  for (const origin of data.PROXY_ORIGINS) {
    const judged = judgeOutbound(origin, { secure });
    if (typeof judged === "string")
      throw new ConfigError(`The gate cannot start. PROXY_ORIGINS: ${origin}: ${judged}`);
  }
  const secret = fromHex(data.ROOM_SECRET);
  const outbound = openOutbound(bindings, { secure });
  const mac = await importMac(secret);
  return {
    edgeOrigin: data.EDGE_ORIGIN,
    coreOrigin: data.CORE_ORIGIN,
    secure,
    redisUrl: data.REDIS_URL,
    redisPrefix: data.REDIS_PREFIX,
    keys: await importKeySet(data.GATE_KEYS, ["place", "admission", "service"]),
    mac,
    challengeSecret: await macOf(mac, "challenge", "secret"),
    turnstile: {
      siteKey: data.TURNSTILE_SITE_KEY,
      secret: data.TURNSTILE_SECRET,
      script: data.TURNSTILE_SCRIPT || TURNSTILE_SCRIPT,
      ...(data.TURNSTILE_URL === "" ? {} : { url: data.TURNSTILE_URL }),
    },
    ...(data.STRIPE_PUBLISHABLE_KEY === ""
      ? {}
      : {
          stripe: {
            key: data.STRIPE_PUBLISHABLE_KEY,
            script: data.STRIPE_SCRIPT || STRIPE_SCRIPT,
          },
        }),
    nonces: await nonces(secret),
    issuers: data.ISSUERS.map((issuer) => ({
      ...issuer,
      // The core is a part of this system and may stand in a private network beside the gate.
      find: remoteKeys(
        new URL(issuer.jwksUrl),
        new URL(issuer.jwksUrl).origin === data.CORE_ORIGIN ? undefined : outbound,
      ),
    })),
    shopOrigins: data.SHOP_ORIGINS,
    proxyOrigins: data.PROXY_ORIGINS,
    proxyHosts: proxyHostsOf(data.PROXY_HOSTS, new URL(data.EDGE_ORIGIN).host),
    beaconHosts: data.BEACON_HOSTS,
    pushKey: data.PUSH_KEY && pushKeyOf(data.PUSH_KEY),
    pushHosts: data.PUSH_HOSTS,
    trustedPeers: data.TRUSTED_PEERS,
    outbound,
    placing: data.DOOR_LOCATION === "" ? {} : { locationHint: data.DOOR_LOCATION },
    beaconChain: data.BEACON_CHAIN,
  };
}
