// One core in this process on a database and Redis databases of its own, with a gate that is only its
// keys: it publishes them, signs admissions, and writes down what the core tells it.
import { createHash, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";
import { createApp } from "../../core/app.ts";
import { readConfig } from "../../core/config.ts";
import type { Clock, Deps, Log } from "../../core/context.ts";
import { closeDeps, createDeps } from "../../core/deps.ts";
import { createPaymentProvider } from "../../core/payments/create-provider.ts";
import type { AdmissionClaims, ServiceClaims } from "../../shared/token/claims.ts";
import { importKeySet, type KeySet } from "../../shared/token/keys.ts";
import { signToken } from "../../shared/token/sign.ts";
import { makeSessionKey, type SessionKey } from "../../tools/crowd/session-key.ts";
import { type DeploymentKeys, makeKeys } from "../../tools/stack/keys.ts";
import { createDatabase } from "../support/postgres.ts";
import { claimRedis } from "../support/redis.ts";

export const CORE_ORIGIN = "http://core.test";

export type Reply = {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
};

export type Call = {
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Sent as it is. */
  raw?: string;
};

export type GateNote = { path: string; body: Record<string, unknown>; authorization: string };

export type House = {
  deps: Deps;
  keys: DeploymentKeys;
  gate: {
    origin: string;
    keys: KeySet;
    notes: GateNote[];
    /** What the gate answers to the core's own calls. */
    answer(status: number): void;
  };
  request(method: string, path: string, call?: Call): Promise<Reply>;
  /** Signed by the gate; every claim can be overridden, `undefined` leaves one out. */
  admission(claims: AdmissionChanges): Promise<string>;
  serviceToken(claims?: Partial<ServiceClaims>): Promise<string>;
  /** A fan with a key of its own and an admission bound to it. */
  shopper(event: string, claims?: AdmissionChanges): Promise<Shopper>;
  organizerToken(): Promise<string>;
  close(): Promise<void>;
};

type AdmissionChanges = { [Name in keyof AdmissionClaims]?: AdmissionClaims[Name] | undefined };

export type Shopper = {
  key: SessionKey;
  token: string;
  place: string;
  /** The headers of one call, proof included. */
  headers(method: string, path: string): Record<string, string>;
  call(method: string, path: string, call?: Call): Promise<Reply>;
};

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A proof in which anything can be wrong. */
export function forgeProof(
  key: SessionKey,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): string {
  const input = `${encode({ typ: "dpop+jwt", alg: "ES256", jwk: key.publicJwk, ...header })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(input), {
    key: key.privateKey,
    dsaEncoding: "ieee-p1363",
  });
  return `${input}.${signature.toString("base64url")}`;
}

export const proofClaims = (method: string, path: string, token: string, nowMs = Date.now()) => ({
  jti: randomUUID(),
  htm: method,
  htu: CORE_ORIGIN + path.replace(/\?.*$/, ""),
  iat: Math.floor(nowMs / 1000),
  ath: createHash("sha256").update(token).digest("base64url"),
});

async function startGateStub(keys: DeploymentKeys) {
  const gateKeys = await importKeySet(keys.gateKeys, ["place", "admission", "service"]);
  const notes: GateNote[] = [];
  let status = 204;
  const server = createServer((request, response) => {
    if (request.url === "/.well-known/jwks.json") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(gateKeys.jwks));
      return;
    }
    if (request.method === "GET") {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>A page of the gate</title>");
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body: Record<string, unknown> = JSON.parse(Buffer.concat(chunks).toString() || "{}");
      const authorization = request.headers.authorization ?? "";
      notes.push({ path: request.url ?? "", body, authorization });
      response.statusCode = status;
      response.end();
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the gate has a port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    keys: gateKeys,
    notes,
    answer(next: number) {
      status = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type HouseOptions = {
  env?: Readonly<Record<string, string>>;
  clock?: Clock;
  /** What would be logged, for tests that read it. */
  log?: Log;
  /** One more process of this deployment: same database, Redis and keys. */
  beside?: House;
};

/** One core; with `beside`, another process of the same deployment. */
export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const { beside } = options;
  const keys = beside?.keys ?? (await makeKeys(new Date()));
  const own = beside ? undefined : await startGateStub(keys);
  const database = beside ? undefined : await createDatabase();
  const gate = own ?? beside?.gate;
  if (!gate) throw new Error("a house has a gate");
  const config = readConfig({
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    CORE_ORIGIN,
    EDGE_ORIGIN: gate.origin,
    DATABASE_URL: database?.url ?? beside?.deps.config.database.url,
    DB_POOL_MAX: "6",
    REDIS_LOCKS_URL: beside?.deps.config.redis.locksUrl ?? (await claimRedis()).url,
    REDIS_CACHE_URL: beside?.deps.config.redis.cacheUrl ?? (await claimRedis()).url,
    CORE_KEYS: JSON.stringify(keys.coreKeys),
    CORE_SECRET: keys.coreSecret,
    ORGANIZER_KEY: keys.organizerKey,
    PSP_ORIGIN: "http://127.0.0.1:9",
    PSP_SECRET: keys.pspSecret,
    PSP_WEBHOOK_SECRET: keys.pspWebhookSecret,
    ...options.env,
  });
  const payments = createPaymentProvider(config);
  const deps = await createDeps(config, {
    payments,
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.log ? { log: options.log } : {}),
  });
  const app = createApp(deps);

  const request: House["request"] = async (method, path, call = {}) => {
    const body = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const response = await app.request(CORE_ORIGIN + path, {
      method,
      headers: {
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": `${Buffer.byteLength(body)}` }),
        ...call.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== "" ? JSON.parse(text) : {},
    };
  };

  const nowS = () => Math.floor(deps.clock.now() / 1000);
  const admission: House["admission"] = (changes) => {
    const claims: AdmissionClaims = {
      iss: gate.origin,
      aud: "core/none",
      sub: `plc_${randomUUID()}`,
      epoch: 1,
      gen: 0,
      jti: randomUUID(),
      iat: nowS(),
      nbf: nowS(),
      exp: nowS() + 540,
    };
    return signToken(gate.keys, "admission", Object.assign(claims, changes));
  };

  const shopper: House["shopper"] = async (event, changes = {}) => {
    const key = makeSessionKey();
    const { calculateJwkThumbprint } = await import("jose");
    const place = changes.sub ?? `plc_${randomUUID()}`;
    const cnf = { jkt: await calculateJwkThumbprint(key.publicJwk) };
    const token = await admission({ aud: `core/${event}`, sub: place, cnf, ...changes });
    const headers = (method: string, path: string) => ({
      authorization: `DPoP ${token}`,
      dpop: forgeProof(key, proofClaims(method, path, token, deps.clock.now())),
    });
    return {
      key,
      token,
      place,
      headers,
      call: (method, path, call = {}) =>
        request(method, path, { ...call, headers: { ...headers(method, path), ...call.headers } }),
    };
  };

  return {
    deps,
    keys,
    gate,
    request,
    admission,
    shopper,
    serviceToken: (changes = {}) =>
      signToken(gate.keys, "service", {
        iss: gate.origin,
        aud: "core",
        sub: "gate",
        scope: "admissions",
        events: ["*"],
        iat: nowS(),
        exp: nowS() + 60,
        ...changes,
      }),
    async organizerToken() {
      const answer = await request("POST", "/v1/organizer/sessions", {
        body: { key: keys.organizerKey },
      });
      return String(answer.body["token"]);
    },
    async close() {
      await closeDeps(deps);
      own?.close();
      await database?.drop();
    },
  };
}
