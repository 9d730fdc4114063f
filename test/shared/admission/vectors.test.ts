import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createLocalJWKSet } from "jose";
import { afterAll, describe, expect, test } from "vitest";
import vectors from "../../../shared/admission/vectors.json" with { type: "json" };
import {
  type AdmissionVerifier,
  createAdmissionVerifier,
} from "../../../shared/admission/verifier.ts";
import { keySetSchema } from "../../../shared/token/keys.ts";
import { bundleAdmission } from "../../../tools/admission/bundle.ts";

// The verifier is judged with the vectors that other languages are given: in their order, with one
// memory, at their time.
const published = createLocalJWKSet(vectors.jwks);

async function openVerifier(create = createAdmissionVerifier): Promise<AdmissionVerifier> {
  return await create({
    gate: vectors.gate,
    origin: vectors.origin,
    now: () => Date.parse(vectors.now),
    findKey: async (kid, use) => {
      const entry = vectors.jwks.keys.find((key) => key.kid === kid);
      return entry?.["sira:use"] === use ? await published({ alg: "ES256", kid }) : undefined;
    },
  });
}

const judge = (verifier: AdmissionVerifier, request: (typeof vectors.requests)[number]) => {
  const headers: { authorization?: string; dpop?: string } = request.headers;
  const { method, path } = request;
  return verifier.verify(
    { method, path, authorization: headers.authorization, dpop: headers.dpop },
    vectors.event,
  );
};

describe("the frozen vectors", async () => {
  const verifier = await openVerifier();
  test.each(vectors.requests)("$name: $expect", async (request) => {
    const verdict = await judge(verifier, request);
    expect(verdict.ok ? "admit" : "refuse").toBe(request.expect);
    if (verdict.ok) {
      expect(verdict.value).toMatchObject({ event: vectors.event, epoch: 1, gen: 0 });
      return;
    }
    const { status, code, headers } = verdict.error;
    expect(status).toBe(401);
    expect(code).toBe(
      "authorization" in request.headers ? "admission_invalid" : "admission_required",
    );
    expect(headers["www-authenticate"]).toMatch(/^DPoP algs="ES256".*, Bearer/);
    expect(headers["dpop-nonce"]).toMatch(/^.{32}$/);
  });

  test("hold enough of both kinds to mean something", () => {
    const of = (kind: string) => vectors.requests.filter((each) => each.expect === kind).length;
    expect(of("admit")).toBeGreaterThanOrEqual(5);
    expect(of("refuse")).toBeGreaterThanOrEqual(45);
  });

  test("refuse everything good as soon as another event is asked for", async () => {
    const other = await openVerifier();
    for (const request of vectors.requests) {
      const headers: { authorization?: string; dpop?: string } = request.headers;
      const { method, path } = request;
      const verdict = await other.verify(
        { method, path, authorization: headers.authorization, dpop: headers.dpop },
        "another-event",
      );
      expect(verdict.ok).toBe(false);
    }
  });
});

test("keys that cannot be fetched are 503 with Retry-After, not a wrong token", async () => {
  const verifier = await createAdmissionVerifier({
    gate: vectors.gate,
    origin: vectors.origin,
    now: () => Date.parse(vectors.now),
    findKey: async () => {
      throw new Error("connection refused");
    },
  });
  const [first] = vectors.requests;
  if (first === undefined) throw new Error("there are vectors");
  const verdict = await judge(verifier, first);
  expect(verdict).toMatchObject({
    ok: false,
    error: { status: 503, code: "unavailable", headers: { "retry-after": "2" } },
  });
});

test("a nonce helps a phone whose clock is wrong, also at another process with the same secret", async () => {
  // The vectors' old proof is refused, but the answer says which error and gives a nonce.
  const old = vectors.requests.find((each) => each.name === "a proof ten minutes old");
  if (old === undefined) throw new Error("the vector is there");
  const verdict = await judge(await openVerifier(), old);
  if (verdict.ok) throw new Error("it is refused");
  expect(verdict.error.headers["www-authenticate"]).toContain('error="use_dpop_nonce"');
});

test.each([
  ["gate", { gate: "https://queue.example/", origin: "https://shop.example" }],
  ["origin", { gate: "https://queue.example", origin: "shop.example" }],
])("an origin that is none is refused at the start, by name: %s", async (name, options) => {
  await expect(createAdmissionVerifier(options)).rejects.toThrow(new RegExp(`^${name} must be`));
});

test("the vectors hold no private key", async () => {
  expect(JSON.stringify(vectors.jwks)).not.toContain('"d"');
  expect(keySetSchema.safeParse(vectors.jwks.keys).success).toBe(false);
});

describe("the bundle for other projects", () => {
  const folder = mkdtempSync(join(tmpdir(), "sira-admission-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("is plain JavaScript that judges every vector the same", async () => {
    await bundleAdmission(folder);
    const bundle: { createAdmissionVerifier: typeof createAdmissionVerifier } = await import(
      pathToFileURL(join(folder, "verifier.js")).href
    );
    const verifier = await openVerifier(bundle.createAdmissionVerifier);
    for (const request of vectors.requests) {
      const verdict = await judge(verifier, request);
      expect(verdict.ok ? "admit" : "refuse", request.name).toBe(request.expect);
    }
  });
});
