import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressGroup } from "../../../core/http/request.ts";
import { ERRORS } from "../../../shared/errors.ts";
import { BODY_BYTES_MAX } from "../../../shared/limits.ts";
import { CORE_ORIGIN, type House, openHouse, type Reply } from "../house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

/** Every member that RFC 9457 and our contract ask for. */
function expectProblem(reply: Reply, code: keyof typeof ERRORS): void {
  expect(reply.body["code"]).toBe(code);
  expect(reply.status).toBe(ERRORS[code].status);
  expect(reply.headers.get("content-type")).toBe("application/problem+json");
  expect(reply.body).toMatchObject({
    type: `urn:sira:problem:${code}`,
    title: ERRORS[code].title,
    status: ERRORS[code].status,
    requestId: reply.headers.get("x-request-id"),
  });
}

describe("a bad request is a problem document", () => {
  test("an unknown path", async () => {
    expectProblem(await house.request("GET", "/v1/nothing"), "not_found");
  });

  test("a wrong method, with the right ones named", async () => {
    const reply = await house.request("DELETE", "/v1/organizer/sessions");
    expectProblem(reply, "method_not_allowed");
    expect(reply.headers.get("allow")).toBe("POST");
  });

  test("a wrong method on a path with parameters", async () => {
    const reply = await house.request("PUT", "/v1/admissions/alpha/plc_1/close", { body: {} });
    expectProblem(reply, "method_not_allowed");
  });

  test("a body that is not JSON", async () => {
    const reply = await house.request("POST", "/v1/organizer/sessions", { raw: "{key:" });
    expectProblem(reply, "malformed_json");
  });

  test("a body of another kind", async () => {
    const reply = await house.request("POST", "/v1/organizer/sessions", {
      raw: "key=0123456789abcdef",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expectProblem(reply, "unsupported_media_type");
  });

  test("no body where one is needed", async () => {
    expectProblem(await house.request("POST", "/v1/organizer/sessions"), "invalid_request");
  });

  test("a body beyond its bound, by its announced length and by its real one", async () => {
    const raw = JSON.stringify({ key: "k".repeat(BODY_BYTES_MAX) });
    expectProblem(await house.request("POST", "/v1/organizer/sessions", { raw }), "body_too_large");
    const chunked = await house.request("POST", "/v1/organizer/sessions", {
      raw,
      headers: { "transfer-encoding": "chunked", "content-length": "" },
    });
    expectProblem(chunked, "body_too_large");
  });

  test("an unknown field, which is named", async () => {
    const reply = await house.request("POST", "/v1/organizer/sessions", {
      body: { key: "0123456789abcdef", remember: true },
    });
    expectProblem(reply, "invalid_request");
    expect(reply.body["errors"]).toEqual([{ field: "remember", message: "unknown field" }]);
    expect(reply.body["detail"]).toContain("remember");
  });

  test("a field of the wrong kind or a missing one, each named", async () => {
    const authorization = `Bearer ${await house.organizerToken()}`;
    const reply = await house.request("POST", "/v1/organizer/keys", {
      headers: { authorization },
      body: { role: "king", events: ["Not An Event"] },
    });
    expectProblem(reply, "invalid_request");
    const errors = reply.body["errors"] as { field: string }[];
    expect(errors.map(({ field }) => field).sort()).toEqual(["events.0", "name", "role"]);
  });

  test("a bad parameter of the path", async () => {
    const token = await house.admission({ aud: "core/Alpha" });
    const reply = await house.request("PUT", "/v1/events/Alpha/presence", {
      headers: { authorization: `Bearer ${token}` },
      body: { section: "A" },
    });
    expectProblem(reply, "invalid_request");
  });

  test("an unknown query parameter, which is named", async () => {
    const authorization = `Bearer ${await house.organizerToken()}`;
    const reply = await house.request("GET", "/v1/organizer/audit?since=1", {
      headers: { authorization },
    });
    expectProblem(reply, "invalid_request");
    expect(reply.body["errors"]).toMatchObject([{ field: "since" }]);
  });

  test.each([
    "/v1/events/alpha%2fbeta/presence",
    "/v1/events/%2e%2e/presence",
    "/v1//events/alpha/presence",
    "/v1/events/alpha%00/presence",
    "/V1/events/alpha/presence",
    "/v1/events/alpha/presence/",
  ])("a path in an unusual form: %s", async (path) => {
    expectProblem(await house.request("PUT", path, { body: { section: "A" } }), "not_found");
  });

  test("more headers than anybody needs", async () => {
    const headers = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x-h-${i}`, "1"]));
    expectProblem(await house.request("GET", "/healthz", { headers }), "invalid_request");
  });
});

describe("every answer", () => {
  test("carries a request id, taken over when harmless and made anew when not", async () => {
    const ask = async (id: string) =>
      (await house.request("GET", "/healthz", { headers: { "x-request-id": id } })).headers.get(
        "x-request-id",
      );
    expect(await ask("req_0123456789")).toBe("req_0123456789");
    expect(await ask("short")).toMatch(/^req_/);
    expect(await ask('"><script>alert(1)</script>')).toMatch(/^req_/);
  });

  test("lets the gate's origin read it, and no other", async () => {
    const ask = (origin: string) => house.request("GET", "/healthz", { headers: { origin } });
    const ours = await ask(house.gate.origin);
    expect(ours.headers.get("access-control-allow-origin")).toBe(house.gate.origin);
    const exposed = ours.headers.get("access-control-expose-headers") ?? "";
    for (const name of ["x-request-id", "DPoP-Nonce", "Retry-After", "RateLimit"])
      expect(exposed).toContain(name);
    expect((await ask("https://evil.test")).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("allows the headers that a fan's call needs, in a preflight", async () => {
    const reply = await house.request("OPTIONS", "/v1/orders", {
      headers: {
        origin: house.gate.origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,dpop,idempotency-key,content-type",
      },
    });
    expect(reply.status).toBe(204);
    const allowed = (reply.headers.get("access-control-allow-headers") ?? "").toLowerCase();
    for (const name of ["authorization", "dpop", "idempotency-key"])
      expect(allowed).toContain(name);
  });

  test("is allowed across origins also when it is a refusal", async () => {
    const reply = await house.request("GET", "/v1/carts/me", {
      headers: { origin: house.gate.origin },
    });
    expect(reply.status).toBe(401);
    expect(reply.headers.get("access-control-allow-origin")).toBe(house.gate.origin);
  });
});

describe("health", () => {
  test("is ready with database and Redis, degraded and still 200 without Redis", async () => {
    await expect
      .poll(async () => (await house.request("GET", "/readyz")).body, { timeout: 5_000 })
      .toMatchObject({ status: "ok", database: "ok" });
    const cutOff = await openHouse({
      beside: house,
      env: { REDIS_LOCKS_URL: "redis://127.0.0.1:9", REDIS_CACHE_URL: "redis://127.0.0.1:9" },
    });
    const reply = await cutOff.request("GET", "/readyz");
    expect([reply.status, reply.body["status"]]).toEqual([200, "degraded"]);
    await cutOff.close();
  });

  test("is not ready without the database, and says when to come again", async () => {
    const cutOff = await openHouse({
      beside: house,
      env: { DATABASE_URL: "postgres://nobody@127.0.0.1:9/none" },
    });
    const reply = await cutOff.request("GET", "/readyz");
    expectProblem(reply, "unavailable");
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await cutOff.request("GET", "/healthz")).status).toBe(200);
    await cutOff.close();
  });

  test("publishes public keys and no private half", async () => {
    const reply = await house.request("GET", "/.well-known/jwks.json");
    const keys = reply.body["keys"] as Record<string, unknown>[];
    expect(keys.map((key) => key["sira:use"]).sort()).toEqual([
      "order",
      "organizer",
      "pass",
      "service",
      "ticket",
    ]);
    for (const key of keys) expect(key).not.toHaveProperty("d");
  });

  test("counts requests by route and not by address", async () => {
    await house.request("POST", "/v1/admissions/alpha/plc_secret-place/close");
    const { text } = await house.request("GET", "/metrics");
    expect(text).toContain('route="/v1/admissions/:event/:place/close"');
    expect(text).not.toContain("plc_secret-place");
    expect(text).toContain("sira_db_pool");
  });

  test("keeps metrics behind their token where there is one", async () => {
    const guarded = await openHouse({ beside: house, env: { METRICS_TOKEN: "0123456789abcdef" } });
    expectProblem(await guarded.request("GET", "/metrics"), "forbidden");
    const reply = await guarded.request("GET", "/metrics", {
      headers: { authorization: "Bearer 0123456789abcdef" },
    });
    expect(reply.status).toBe(200);
    await guarded.close();
  });
});

describe("the OpenAPI document", () => {
  test("is 3.1 and names every route of the app", async () => {
    const { body } = await house.request("GET", "/openapi.json");
    expect(body["openapi"]).toBe("3.1.0");
    const paths = Object.keys(body["paths"] as object);
    for (const path of [
      "/v1/organizer/sessions",
      "/v1/events/{event}/stream",
      "/v1/carts/me",
      "/readyz",
    ])
      expect(paths).toContain(path);
  });

  test("can be read at /docs without anything from another host", async () => {
    const { text, headers } = await house.request("GET", "/docs");
    expect(text).toContain("/v1/organizer/sessions");
    expect(text).not.toMatch(/src=|href="http/);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});

describe("configuration", () => {
  test("names every bad variable at once, and prints no value", async () => {
    const { readConfig } = await import("../../../core/config.ts");
    const bad = () => readConfig({ CORE_ORIGIN: "https://a.test/path", ORGANIZER_KEY: "hunter2" });
    for (const name of [
      "CORE_ORIGIN",
      "EDGE_ORIGIN",
      "DATABASE_URL",
      "REDIS_LOCKS_URL",
      "REDIS_CACHE_URL",
      "CORE_KEYS",
      "CORE_SECRET",
      "ORGANIZER_KEY",
    ])
      expect(bad).toThrow(name);
    expect(bad).not.toThrow("hunter2");
  });

  test("refuses the simulator, plain http and a Redis prefix in production", async () => {
    const { readConfig } = await import("../../../core/config.ts");
    const { deps, keys } = house;
    const production = () =>
      readConfig({
        NODE_ENV: "production",
        CORE_ORIGIN,
        EDGE_ORIGIN: "https://gate.test",
        DATABASE_URL: deps.config.database.url,
        REDIS_LOCKS_URL: "redis://127.0.0.1",
        REDIS_CACHE_URL: "redis://127.0.0.1",
        REDIS_PREFIX: "t:",
        CORE_KEYS: JSON.stringify(keys.coreKeys),
        CORE_SECRET: keys.coreSecret,
        ORGANIZER_KEY: keys.organizerKey,
        PSP_ORIGIN: "http://127.0.0.1:1",
        PSP_SECRET: keys.pspSecret,
        PSP_WEBHOOK_SECRET: keys.pspWebhookSecret,
      });
    expect(production).toThrow("PAYMENT_PROVIDER");
    expect(production).toThrow("CORE_ORIGIN");
    expect(production).toThrow("REDIS_PREFIX");
  });

  test("only config.ts reads the environment", () => {
    const text = readFileSync(new URL("../../../core/main.ts", import.meta.url), "utf8");
    expect(text).not.toContain("process.env");
  });
});

describe("addresses that limits count", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("%s counts as %s", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});
