import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requireAdmission as forExpress } from "../../../shared/admission/express.ts";
import { requireAdmission as forHono } from "../../../shared/admission/hono.ts";
import {
  type AdmissionVerifier,
  createAdmissionVerifier,
} from "../../../shared/admission/verifier.ts";
import { importKeySet } from "../../../shared/token/keys.ts";
import { type CorpusRequest, makeCorpus } from "../../../tools/mint/corpus.ts";
import { signingKeyOf } from "../../../tools/mint/signing-key.ts";
import { makeKeys } from "../../../tools/stack/keys.ts";

// Both middlewares stand in front of a real server and are shown the whole fresh corpus over HTTP.
const GATE = "https://queue.example";
const EVENT = "final";
const eventOf = (path: string) => /^\/events\/([a-z0-9-]+)\/book$/.exec(path)?.[1];

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function listen(
  start: (verifier: AdmissionVerifier) => Server,
): Promise<{ origin: string; corpus: CorpusRequest[] }> {
  // The port is known only when the server listens, and the verifier must know its origin.
  let verifier: AdmissionVerifier | undefined;
  const late: AdmissionVerifier = {
    verify(shown, event) {
      if (verifier === undefined) throw new Error("not listening yet");
      return verifier.verify(shown, event);
    },
  };
  const server = start(late);
  servers.push(server);
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const { gateKeys } = await makeKeys(new Date());
  const keys = await importKeySet(gateKeys, ["admission", "place"]);
  verifier = await createAdmissionVerifier({
    gate: GATE,
    origin,
    findKey: async (kid, use) => keys.verifying(kid, use),
  });
  const corpus = makeCorpus({
    gate: GATE,
    origin,
    event: EVENT,
    method: "POST",
    path: `/events/${EVENT}/book`,
    now: Date.now(),
    admissionKey: signingKeyOf(gateKeys, "admission"),
    placeKey: signingKeyOf(gateKeys, "place"),
  });
  return { origin, corpus };
}

const honoServer = (verifier: AdmissionVerifier): Server => {
  const app = new Hono()
    .use("/events/*", forHono(verifier, eventOf))
    .post("/events/:event/book", (c) => c.json({ place: c.get("admission").place }));
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  if (!(server instanceof Object.getPrototypeOf(createServer()).constructor))
    throw new Error("an HTTP/1 server was expected");
  return server as Server;
};

const expressServer = (verifier: AdmissionVerifier): Server =>
  express()
    .use("/events", forExpress(verifier, eventOf))
    .post("/events/:event/book", (_request, response) => {
      response.json({ place: response.locals["admission"].place });
    })
    .listen(0, "127.0.0.1");

describe.each([
  ["Hono", honoServer],
  ["Express", expressServer],
])("the middleware for %s", (_name, start) => {
  let ground: { origin: string; corpus: CorpusRequest[] };
  beforeAll(async () => {
    ground = await listen(start);
  });

  test("admits what is good and refuses the whole corpus of what is not", async () => {
    const wrong: string[] = [];
    for (const { name, expect: expected, method, path, headers } of ground.corpus) {
      const response = await fetch(ground.origin + path, { method, headers: { ...headers } });
      const body: { code?: string; place?: string } = await response.json();
      const got = response.status === 200 && body.place ? "admit" : "refuse";
      if (got !== expected) wrong.push(`${name}: ${response.status}`);
      if (got === "admit") continue;
      expect(response.status, name).toBe(401);
      expect(response.headers.get("content-type"), name).toMatch(/^application\/problem\+json/);
      expect(response.headers.get("dpop-nonce"), name).toMatch(/^.{32}$/);
      expect(body.code, name).toMatch(/^admission_(required|invalid)$/);
    }
    expect(wrong).toEqual([]);
  });

  test("a path that belongs to no event is not found, whatever token comes with it", async () => {
    const response = await fetch(`${ground.origin}/events/final/other`, { method: "POST" });
    expect(response.status).toBe(404);
  });
});
