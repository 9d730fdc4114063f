// What the gate's tests stand on: a gate on bare workerd, and in the core's place a small server with
// the core's keys, which records what the gate tells it.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { JoinReply, StatusDocument, TurnReply } from "../../shared/contract/queue.ts";
import type { ClaimsOf, KeyUse } from "../../shared/token/claims.ts";
import { importKeySet, type KeySet } from "../../shared/token/keys.ts";
import { signToken } from "../../shared/token/sign.ts";
import { makeProof, makeSessionKey, type SessionKey } from "../../tools/crowd/session-key.ts";
import { makeKeys } from "../../tools/stack/keys.ts";
import { type Answer, request } from "../support/fan.ts";
import { startTestGate, type TestGate } from "../support/gate.ts";

type CoreStand = {
  origin: string;
  keys: KeySet;
  /** Calls other than for the keys. */
  calls: { method: string; path: string; body: string; authorization: string }[];
  jwksAsked: number;
  /** Events whose calls are answered 503. */
  down: Set<string>;
  stop(): Promise<void>;
};

export async function startCoreStand(): Promise<CoreStand> {
  const made = await makeKeys(new Date());
  const keys = await importKeySet(made.coreKeys, ["organizer", "service", "pass"]);
  const calls: CoreStand["calls"] = [];
  const server = createServer((incoming, outgoing) => {
    let body = "";
    incoming.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    incoming.on("end", () => {
      const path = incoming.url ?? "";
      if (path === "/.well-known/jwks.json") {
        stand.jwksAsked += 1;
        outgoing.writeHead(200, { "content-type": "application/json" });
        outgoing.end(JSON.stringify(keys.jwks));
        return;
      }
      const authorization = incoming.headers.authorization ?? "";
      calls.push({ method: incoming.method ?? "", path, body, authorization });
      if (stand.down.has(path.split("/")[3] ?? "")) outgoing.writeHead(503).end();
      else if (incoming.method === "GET")
        outgoing
          .writeHead(200, { "content-type": "application/json", etag: '"one"' })
          .end(JSON.stringify({ path, asked: calls.length }));
      else outgoing.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const stand: CoreStand = {
    origin: `http://127.0.0.1:${address.port}`,
    keys,
    calls,
    jwksAsked: 0,
    down: new Set(),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return stand;
}

export type Stand = {
  gate: TestGate;
  core: CoreStand;
  /** The gate's ISSUERS. */
  issuers: string;
  /** The same stand in front of another gate with the same keys. */
  at(origin: string): Stand;
  /** Signs with the core's key of the use; what is given replaces what would be right. */
  sign<Use extends KeyUse>(use: Use, claims: Partial<ClaimsOf[Use]>): Promise<string>;
  organizer(more?: Partial<ClaimsOf["organizer"]>): Promise<string>;
  service(scope: string, more?: Partial<ClaimsOf["service"]>): Promise<string>;
  /** Organizer's call with a good token. */
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
  room(event: string, settings?: Record<string, unknown>): Promise<void>;
  status(event: string): Promise<StatusDocument>;
  stop(): Promise<void>;
};

export async function startStand(
  options: {
    redisUrl?: string;
    env?: Record<string, string>;
    trustedCertificates?: string[];
    assetsDir?: string;
    /** More entries for ISSUERS than those of the core that stands in. */
    moreIssuers?: object[];
  } = {},
): Promise<Stand> {
  const core = await startCoreStand();
  const issuer = { iss: core.origin, jwksUrl: `${core.origin}/.well-known/jwks.json` };
  const issuers = JSON.stringify([
    { ...issuer, use: "organizer", aud: "sira", events: ["*"] },
    { ...issuer, use: "service", aud: "gate", events: ["*"] },
    { ...issuer, use: "pass", aud: "room", events: ["*"] },
    ...(options.moreIssuers ?? []),
  ]);
  const gate = await startTestGate({
    ...options,
    coreOrigin: core.origin,
    env: { ISSUERS: issuers, ...options.env },
  });
  return standAt({ gate, core, issuers });
}

function standAt(made: { gate: TestGate; core: CoreStand; issuers: string }): Stand {
  const { gate, core } = made;
  const seconds = () => Math.floor(Date.now() / 1_000);
  const registered = (aud: string) => ({
    iss: core.origin,
    aud,
    sub: "somebody",
    iat: seconds(),
    exp: seconds() + 600,
  });
  const stand: Stand = {
    ...made,
    at: (origin) => standAt({ ...made, gate: { ...gate, origin } }),
    sign: (use, claims) =>
      signToken(core.keys, use, { ...registered(""), ...claims } as ClaimsOf[typeof use]),
    organizer: (more = {}) =>
      signToken(core.keys, "organizer", {
        ...registered("sira"),
        role: "owner",
        events: ["*"],
        ...more,
      }),
    service: (scope, more = {}) =>
      signToken(core.keys, "service", { ...registered("gate"), scope, events: ["*"], ...more }),
    async call(method, path, body, headers = {}) {
      const authorization = `Bearer ${await stand.organizer()}`;
      return await request(method, gate.origin + path, {
        ...(body === undefined ? {} : { body }),
        headers: { authorization, ...headers },
      });
    },
    async room(event, settings = {}) {
      const made = await stand.call("PUT", `/api/rooms/${event}`, {
        opensAt: new Date(Date.now() - 1_000).toISOString(),
        early: "fifo",
        ratePerMinute: 600,
        activeMax: 50,
        ...settings,
      });
      if (made.status !== 201) throw new Error(`room: ${made.status} ${made.text}`);
      await until(async () => !(await stand.status(event)).stale);
    },
    async status(event) {
      const { body } = await request<StatusDocument>(
        "GET",
        `${gate.origin}/api/queue/${event}/status`,
      );
      return body;
    },
    async stop() {
      if (process.env["SIRA_LOGS"] !== undefined)
        console.log(readFileSync(gate.program.logFile, "utf8"));
      await gate.stop();
      await core.stop();
    },
  };
  return stand;
}

/** A reply, or the problem in its place. */
export type TurnAnswer = TurnReply & { code?: string };

export type TestFan = {
  key: SessionKey;
  joined: JoinReply;
  token: string;
  cookie: string;
  turn(body?: unknown): Promise<Answer<TurnAnswer>>;
  /** GET or DELETE of the own place, or any other call that the place token opens. */
  ask<Body = Record<string, unknown>>(method: string, path: string): Promise<Answer<Body>>;
  admit(): Promise<Extract<TurnReply, { state: "admitted" }>>;
};

export async function joinAs(
  stand: Stand,
  event: string,
  more: { key?: SessionKey; body?: Record<string, unknown>; bound?: boolean } = {},
): Promise<TestFan> {
  const key = more.key ?? makeSessionKey();
  const base = `${stand.gate.origin}/api/queue/${event}`;
  const answer = await request<JoinReply>("POST", `${base}/places`, {
    body: { key: key.publicJwk, ...more.body },
  });
  if (answer.status !== 201 && answer.status !== 200)
    throw new Error(`join: ${answer.status} ${answer.text}`);
  const { token } = answer.body;
  const bound = more.bound ?? true;
  const ask = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    request<Body>(method, `${base}${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: {
        authorization: `Place ${token}`,
        ...(bound ? { dpop: makeProof(key, { method, url: `${base}${path}`, token }) } : {}),
      },
    });
  return {
    key,
    joined: answer.body,
    token,
    cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "",
    turn: (body) => ask<TurnAnswer>("POST", "/turn", body),
    ask,
    async admit() {
      for (let tries = 0; tries < 80; tries += 1) {
        const turn = await ask<TurnReply>("POST", "/turn");
        if (turn.body.state === "admitted") return turn.body;
        if (turn.status !== 200 && turn.status !== 503)
          throw new Error(`turn: ${turn.status} ${turn.text}`);
        await sleep(250);
      }
      throw new Error("not admitted");
    },
  };
}

/** Looks until it is so; the test's own time limit ends it. */
export async function until<T>(
  look: () => Promise<T | undefined | false>,
  pauseMs = 100,
): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await sleep(pauseMs);
  }
}
