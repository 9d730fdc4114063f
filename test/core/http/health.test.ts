import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../../core/app.ts";
import { type House, openHouse } from "../house.ts";
import { expectProblem } from "./problem.ts";

/** The document and its page themselves. */
const NOT_DESCRIBED = new Set(["/openapi.json", "/docs"]);

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

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
    const paths = body["paths"] as Record<string, Record<string, unknown>>;
    // `:file{…\\.svg}` of the router is `{id}.svg` of the document; a parameter's name is no matter.
    const plain = (path: string) =>
      path
        .replace(/:\w+\{.*\\(\.\w+)\}$/, "{}$1")
        .replace(/:\w+/g, "{}")
        .replace(/\{\w+\}/g, "{}");
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${plain(path)}`),
    );
    const served = createApp(house.deps)
      .routes.filter(({ method, path }) => method !== "ALL" && !NOT_DESCRIBED.has(path))
      .map(({ method, path }) => `${method} ${plain(path)}`);
    expect([...new Set(served)].sort()).toEqual(described.sort());
  });

  test("can be read at /docs without anything from another host", async () => {
    const { text, headers } = await house.request("GET", "/docs");
    expect(text).toContain("/v1/organizer/sessions");
    expect(text).not.toMatch(/src=|href="http/);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});
