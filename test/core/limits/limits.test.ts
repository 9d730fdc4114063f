import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemResponse, refusalOf } from "../../../core/http/problem.ts";
import type { AppEnv } from "../../../core/http/router.ts";
import { createLimits } from "../../../core/limits/limits.ts";
import { POLICIES } from "../../../core/limits/policies.ts";
import { wideLimits } from "../../../core/limits/wide.ts";
import { Refusal } from "../../../shared/errors.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type House, openHouse } from "../house.ts";

let house: House;
let away: House;
beforeAll(async () => {
  house = await openHouse();
  await waitFor(() => house.deps.redis.locks.available());
  away = await openHouse({
    beside: house,
    env: { REDIS_LOCKS_URL: "redis://127.0.0.1:9", REDIS_CACHE_URL: "redis://127.0.0.1:9" },
  });
});
afterAll(async () => {
  await away.close();
  await house.close();
});

/** The same rules with numbers that a test can reach. */
const SMALL = { ...POLICIES, address: { points: 2_000, windowS: 60 } };

const spend = async (at: House, policy: keyof typeof POLICIES, key: string, times: number) => {
  const taken = [];
  for (let i = 0; i < times; i += 1) taken.push(await at.deps.limits.take(policy, key));
  return taken;
};

describe("a limit", () => {
  it("is one for all processes, and says what is left", async () => {
    const other = await openHouse({ beside: house });
    await waitFor(() => other.deps.redis.locks.available());
    const { points } = POLICIES["code-email"];
    await spend(house, "code-email", "a", points - 1);
    const [last, beyond] = await spend(other, "code-email", "a", 2);
    expect(last).toMatchObject({ allowed: true, remaining: 0 });
    expect(beyond).toMatchObject({ allowed: false, remaining: 0 });
    expect((await spend(house, "code-email", "b", 1))[0]?.allowed).toBe(true);
    await other.close();
  });

  it("is kept in the process while Redis is away", async () => {
    const { points } = POLICIES["code-email"];
    const taken = await spend(away, "code-email", "c", points + 1);
    expect(taken.map(({ allowed }) => allowed)).toEqual([...Array(points).fill(true), false]);
  });
});

describe("the wide limits", () => {
  /** Calls from an address of a test's choosing, through one proxy of ours. */
  const appOf = (at: House) => {
    const config = { ...at.deps.config, trustedProxies: 1 };
    const limits = createLimits(at.deps.redis.locks, SMALL);
    const app = new Hono<AppEnv>();
    app.use(wideLimits({ config, limits }));
    app.get("/thing", (c) => c.text("here"));
    app.get("/healthz", (c) => c.text("ok"));
    app.onError((error, c) =>
      problemResponse(c, refusalOf(error) ?? new Refusal("internal"), "req_12345678"),
    );
    return (path: string, headers: Record<string, string>) =>
      Promise.resolve(app.request(path, { headers }));
  };
  const storm = async (
    call: ReturnType<typeof appOf>,
    times: number,
    headersOf: (n: number) => Record<string, string>,
    path = "/thing",
  ) => {
    const statuses = new Map<number, number>();
    for (let done = 0; done < times; done += 500) {
      const size = Math.min(500, times - done);
      const replies = await Promise.all(
        Array.from({ length: size }, (_, i) => call(path, headersOf(done + i))),
      );
      for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    return statuses;
  };

  it("never meet a page that keeps to the poll plan, and cost it no Redis", async () => {
    const call = appOf(house);
    // Once in two seconds for a minute, from an address shared with thousands.
    const statuses = await storm(call, 30, () => ({
      authorization: "DPoP poller",
      "x-forwarded-for": "9.9.9.1",
    }));
    expect([...statuses]).toEqual([[200, 30]]);
    const keys = await house.deps.redis.locks.client.keys("*limit:credential*");
    expect(keys).toEqual([]);
    // What is left is said all the same, on every reply.
    const reply = await call("/thing", { authorization: "DPoP poller" });
    expect(reply.headers.get("ratelimit")).toMatch(/^"credential";r=\d+;t=\d+$/);
    expect(reply.headers.get("ratelimit-policy")).toBe('"credential";q=1200;w=60');
  });

  it("end a flood with one credential, whatever its addresses", async () => {
    const call = appOf(house);
    const { points } = POLICIES.credential;
    const statuses = await storm(call, points * 1.2, (n) => ({
      authorization: "DPoP flood",
      "x-forwarded-for": `9.9.${n % 250}.2`,
    }));
    expect(statuses.get(429)).toBeGreaterThan(0);
    expect(statuses.get(200)).toBeLessThanOrEqual(points * 1.1);
    const refused = await call("/thing", { authorization: "DPoP flood" });
    expect(refused.headers.get("ratelimit")).toMatch(/^"credential";r=0;t=\d+$/);
    expect((await call("/thing", { authorization: "DPoP another" })).status).toBe(200);
  });

  it("count an IPv6 customer's /64 as one, believe only our own proxy's word, spare our own machines", async () => {
    const call = appOf(away);
    const { points } = SMALL.address;
    const statuses = await storm(call, points * 1.2, (n) => ({
      "x-forwarded-for": `1.2.3.${n % 250}, 2a00:1450::${n.toString(16)}`,
    }));
    expect(statuses.get(429)).toBeGreaterThan(0);
    expect((await call("/thing", { "x-forwarded-for": "2a00:1450:0:1::1" })).status).toBe(200);
    const own = await storm(call, 100, () => ({ "x-forwarded-for": "10.0.0.1" }));
    expect([...own]).toEqual([[200, 100]]);
    expect((await call("/healthz", { "x-forwarded-for": "2a00:1450::1" })).status).toBe(200);
  }, 30_000);
});
