import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mayAct } from "../../../core/organizers/authorize.ts";
import { createSignInLimit, WRONG_KEYS_MAX } from "../../../core/organizers/limit.ts";
import { signToken } from "../../../shared/token/sign.ts";
import { type House, openHouse, type Reply } from "../house.ts";

let house: House;
let owner: string;

beforeAll(async () => {
  house = await openHouse();
  owner = await house.organizerToken();
});
afterAll(() => house.close());

const ask = (
  method: string,
  path: string,
  token: string | undefined,
  body?: unknown,
): Promise<Reply> =>
  house.request(method, path, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  });

const signIn = (key: string) => ask("POST", "/v1/organizer/sessions", undefined, { key });

async function tokenOf(role: string, events: string[]): Promise<{ token: string; id: string }> {
  const made = await ask("POST", "/v1/organizer/keys", owner, { name: role, role, events });
  expect(made.status).toBe(201);
  const session = await signIn(String(made.body["key"]));
  expect(session.status).toBe(200);
  return { token: String(session.body["token"]), id: String(made.body["id"]) };
}

describe("who may", () => {
  const LADDER = { viewer: 0, operator: 1, owner: 2 } as const;
  const RUNGS = ["viewer", "operator", "owner"] as const;
  test("a role reaches its own acts and those below it, in its own events alone", () => {
    for (const has of RUNGS)
      for (const needs of RUNGS)
        for (const events of [["*"], ["alpha"], ["beta"], []])
          for (const event of ["alpha", undefined]) {
            const reaches = events.includes("*") || (event !== undefined && events.includes(event));
            expect(
              mayAct({ role: has, events }, { role: needs, event }),
              `${has} of ${events} at ${needs} of ${event}`,
            ).toBe(reaches && LADDER[has] >= LADDER[needs]);
          }
  });

  test("a scanner reaches the calls of a door alone, in its own events", () => {
    for (const role of RUNGS)
      for (const events of [["*"], ["alpha"], ["beta"]]) {
        const scanner = { role: "scanner", events } as const;
        expect(mayAct(scanner, { role, event: "alpha" })).toBe(false);
        expect(mayAct(scanner, { role, event: "alpha", orScanner: true })).toBe(
          !events.includes("beta"),
        );
      }
  });

  const calls: [string, string, unknown][] = [
    ["GET", "/v1/organizer/keys", undefined],
    ["POST", "/v1/organizer/keys", { name: "n", role: "viewer", events: ["*"] }],
    ["DELETE", "/v1/organizer/keys/key_none", undefined],
    ["GET", "/v1/organizer/audit", undefined],
    ["GET", "/v1/organizer/audit?event=alpha", undefined],
  ];

  test.each(calls)("%s %s is not for people without a token", async (method, path, body) => {
    const reply = await ask(method, path, undefined, body);
    expect([reply.status, reply.body["code"]]).toEqual([401, "organizer_required"]);
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
  });

  test.each(calls)("%s %s is not for fans and services", async (method, path, body) => {
    const admission = await house.admission({ aud: "core/alpha" });
    for (const token of [admission, await house.serviceToken(), "abc", `${owner}x`])
      expect((await ask(method, path, token, body)).status).toBe(401);
  });

  test("the matrix of roles and calls", async () => {
    const viewer = (await tokenOf("viewer", ["alpha"])).token;
    const operator = (await tokenOf("operator", ["*"])).token;
    const small = (await tokenOf("owner", ["alpha"])).token;
    const statuses = async (token: string) => {
      const replies = [];
      for (const [method, path, body] of calls) replies.push(await ask(method, path, token, body));
      return replies.map(({ status }) => status);
    };
    expect(await statuses(owner)).toEqual([200, 201, 404, 200, 200]);
    expect(await statuses(operator)).toEqual([403, 403, 403, 200, 200]);
    expect(await statuses(viewer)).toEqual([403, 403, 403, 403, 200]);
    // An owner of one event makes no keys for others.
    expect(await statuses(small)).toEqual([403, 403, 403, 403, 200]);
  });

  test("an organizer token of another issuer, audience or time is refused", async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: house.deps.config.origin,
      aud: "sira",
      sub: "x",
      role: "owner" as const,
      events: ["*"],
      iat: now,
      exp: now + 60,
    };
    for (const changes of [
      { iss: house.gate.origin },
      { aud: "core" },
      { iat: now - 100, exp: now - 1 },
    ]) {
      const token = await signToken(house.deps.keys, "organizer", { ...claims, ...changes });
      const reply = await ask("GET", "/v1/organizer/keys", token);
      expect([reply.status, reply.body["code"]]).toEqual([401, "credential_invalid"]);
    }
  });
});

describe("keys", () => {
  test("are shown once and kept as a hash", async () => {
    const made = await ask("POST", "/v1/organizer/keys", owner, {
      name: "box office",
      role: "operator",
      events: ["alpha"],
    });
    const key = String(made.body["key"]);
    const list = await ask("GET", "/v1/organizer/keys", owner);
    expect(list.text).toContain("box office");
    expect(list.text).not.toContain(key);
    const kept = await house.deps.db.read("select to_jsonb(k) as row from organizer_keys k");
    expect(JSON.stringify(kept)).not.toContain(key);
  });

  test("open no session any more once revoked", async () => {
    const made = await ask("POST", "/v1/organizer/keys", owner, {
      name: "for a day",
      role: "viewer",
      events: ["*"],
    });
    const key = String(made.body["key"]);
    expect((await signIn(key)).status).toBe(200);
    const revoke = () => ask("DELETE", `/v1/organizer/keys/${made.body["id"]}`, owner);
    expect((await revoke()).status).toBe(204);
    expect((await revoke()).status).toBe(404);
    expect((await signIn(key)).body["code"]).toBe("credential_invalid");
  });

  test("making and revoking one is in the audit log, with who and which request", async () => {
    const reply = await ask("GET", "/v1/organizer/audit?limit=500", owner);
    const lines = reply.body["lines"] as Record<string, unknown>[];
    const actions = lines.map(({ action }) => action);
    expect(actions).toContain("key_created");
    expect(actions).toContain("key_revoked");
    for (const line of lines) expect(line).toMatchObject({ actor: "organizer:bootstrap" });
    expect(lines[0]?.["requestId"]).toMatch(/^req_/);
    const next = await ask("GET", `/v1/organizer/audit?limit=1&before=${lines[0]?.["seq"]}`, owner);
    expect((next.body["lines"] as { seq: number }[])[0]?.seq).toBe(lines[1]?.["seq"]);
  });
});

describe("the audit log", () => {
  test("is a chain in which a changed, a missing and an added line show", async () => {
    await tokenOf("viewer", ["chain"]);
    await tokenOf("viewer", ["chain"]);
    const broken = async (lines: string): Promise<number> => {
      const [row] = await house.deps.db.read<{ count: number }>(
        `select count(*)::integer as count from (
           select hash, prev_hash, lag(hash) over (order by seq) as before,
             audit_hash(prev_hash, at, actor, action, event_id, target, details, request_id) as now
           from (${lines}) a) b
         where now <> hash or (before is not null and prev_hash is distinct from before)`,
      );
      return row?.count ?? -1;
    };
    const all = "select * from audit_log";
    expect(await broken(all)).toBe(0);
    const last = "(select max(seq) from audit_log)";
    expect(await broken(`${all} where seq <> ${last} - 1`)).toBe(1);
    const columns = "seq, at, action, event_id, target, details, request_id, prev_hash, hash";
    const changed = `select ${columns}, case when seq = ${last} then 'x' else actor end as actor`;
    expect(await broken(`${changed} from audit_log`)).toBe(1);
    const added = `${all} union all select seq + 1, at, actor, action, event_id, target, details,
      request_id, prev_hash, hash from audit_log where seq = ${last}`;
    expect(await broken(added)).toBe(1);
  });

  test("takes no change and no deletion, whoever asks for it", async () => {
    await tokenOf("viewer", ["chain"]);
    for (const act of ["update audit_log set actor = 'x'", "delete from audit_log"])
      await expect(house.deps.db.write(act)).rejects.toThrow();
  });
});

describe("guessing keys", () => {
  test("is over after a few tries, in all processes, also for the right key", async () => {
    const other = await openHouse({ beside: house });
    const guess = (at: House, key: string) =>
      at.request("POST", "/v1/organizer/sessions", { body: { key } });
    const seen: number[] = [];
    for (let tries = 0; tries < WRONG_KEYS_MAX + 5; tries += 1)
      seen.push((await guess(tries % 2 ? other : house, `wrong-key-number-${tries}`)).status);
    expect(seen.filter((status) => status === 401).length).toBeLessThanOrEqual(WRONG_KEYS_MAX);
    const reply = await guess(house, house.keys.organizerKey);
    expect([reply.status, reply.body["code"]]).toEqual([429, "rate_limited"]);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    await other.close();
  });

  test("is limited also while Redis is away", async () => {
    const cutOff = await openHouse({
      beside: house,
      env: { REDIS_LOCKS_URL: "redis://127.0.0.1:9", REDIS_CACHE_URL: "redis://127.0.0.1:9" },
    });
    const seen: number[] = [];
    for (let tries = 0; tries < WRONG_KEYS_MAX + 2; tries += 1) {
      const body = { key: `another-wrong-key-${tries}` };
      seen.push((await cutOff.request("POST", "/v1/organizer/sessions", { body })).status);
    }
    expect(seen.slice(0, 3)).toEqual([401, 401, 401]);
    expect(seen.at(-1)).toBe(429);
    await cutOff.close();
  });

  test("from everywhere at once does not shut out whoever has signed in before", async () => {
    const { locks } = house.deps.redis;
    const limit = createSignInLimit({ ...locks, prefix: `${locks.prefix}flood:` });
    await limit.remember("2001:db8:1::1");
    const many = Array.from({ length: 500 }, (_, n) => `2a00:${n.toString(16)}::1`);
    await Promise.all(many.map((address) => limit.count(address)));
    await expect(limit.require("192.0.2.1")).rejects.toMatchObject({ code: "rate_limited" });
    await limit.require("2001:db8:1::2");
    // Its own tries are still few.
    for (let tries = 0; tries < WRONG_KEYS_MAX; tries += 1) await limit.count("2001:db8:1::3");
    await expect(limit.require("2001:db8:1::2")).rejects.toMatchObject({ code: "rate_limited" });
  });
});
