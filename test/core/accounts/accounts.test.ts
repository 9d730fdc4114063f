import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountJobs } from "../../../core/accounts/jobs.ts";
import { codeMailHandler } from "../../../core/accounts/mail-code.ts";
import { jobCtx } from "../../../core/jobs/schedule.ts";
import { verifyToken } from "../../../shared/token/verify.ts";
import { type Mailbox, startMailbox } from "../../../tools/mailbox/server.ts";
import { type Call, CORE_ORIGIN, type House, openHouse, type Reply } from "../house.ts";
import { makeEvent, sellSeats } from "../sold.ts";

let house: House;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox({ port: 0, smtpPort: 0 });
  house = await openHouse({ env: { SMTP_URL: mailbox.smtpUrl } });
});
afterAll(async () => {
  await house.close();
  await mailbox.stop();
});
beforeEach(() => mailbox.clear());

let serial = 0;
const newEmail = (): string => {
  serial += 1;
  return `person-${serial}@example.com`;
};
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  house.request("POST", path, { body, headers });
const ask = (email: string, more: object = {}) => post("/v1/accounts", { email, ...more });
const verify = (email: string, code: string, headers: Record<string, string> = {}) =>
  post("/v1/accounts/verify", { email, code }, headers);

/** Sends what the outbox holds, as the jobs would, and reads the last mail to this address. */
async function readCode(email: string): Promise<string> {
  const rows = await house.deps.db.write<{ id: string; payload: Record<string, unknown> }>(
    "delete from outbox where kind = 'account.code' returning id, payload",
  );
  const ctx = jobCtx(house.deps, "code-mail", "req_test");
  for (const row of rows) await codeMailHandler.handle(ctx, { ...row, kind: "account.code" });
  const mail = mailbox.mails().findLast(({ to }) => to.includes(email));
  const [, code = ""] = /(\d{4} \d{4})/.exec(mail?.parts[0]?.content.toString() ?? "") ?? [];
  return code;
}
const cookieOf = (reply: Reply): string =>
  (reply.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
async function signIn(email = newEmail()): Promise<{ email: string; cookie: string }> {
  expect((await ask(email)).status).toBe(202);
  const reply = await verify(email, await readCode(email));
  expect(reply.status).toBe(200);
  return { email, cookie: cookieOf(reply) };
}
const me = (cookie: string, more: Call["headers"] = {}) =>
  house.request("GET", "/v1/accounts/me", { headers: { cookie, ...more } });
const shape = ({ status, text, headers }: Reply) => ({
  status,
  text,
  names: [...headers.keys()].filter((name) => name !== "dpop-nonce").sort(),
});

describe("signing in", () => {
  it("works by a code from the mail, in the person's language, without a link", async () => {
    const email = newEmail();
    expect((await ask(email, { locale: "de" })).status).toBe(202);
    const code = await readCode(email);
    const [mail] = mailbox.mails();
    expect(mail?.subject).toBe("Ihr Anmeldecode");
    expect(String(mail?.parts[0]?.content)).not.toContain("http");
    const reply = await verify(email, code);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("set-cookie")).toMatch(
      /^sira-account=[\w-]{43}; .*HttpOnly; SameSite=Lax/,
    );
    expect((await me(cookieOf(reply))).body).toMatchObject({
      email,
      registrations: [],
      orders: [],
    });
  });

  it("uses a __Host- cookie on an https origin", async () => {
    const secure = await openHouse({
      beside: house,
      env: { CORE_ORIGIN: "https://core.test", SMTP_URL: mailbox.smtpUrl },
    });
    const email = newEmail();
    await ask(email);
    const reply = await secure.request("POST", "/v1/accounts/verify", {
      body: { email, code: await readCode(email) },
    });
    await secure.close();
    expect(reply.headers.get("set-cookie")).toMatch(/^__Host-sira-account=.*Path=\/.*Secure/);
    expect(reply.headers.get("set-cookie")).not.toContain("Domain");
  });

  it("takes a code once, and only the newest", async () => {
    const email = newEmail();
    await ask(email);
    const old = await readCode(email);
    await ask(email);
    const code = await readCode(email);
    expect((await verify(email, old)).body["code"]).toBe("code_invalid");
    const both = await Promise.all([verify(email, code), verify(email, code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await verify(email, code)).status).toBe(401);
  });

  it("gives a code five tries, also when they come at once", async () => {
    const email = newEmail();
    await ask(email);
    const code = await readCode(email);
    const wrong = Array.from({ length: 8 }, (_, n) => verify(email, String(n).repeat(8)));
    for (const reply of await Promise.all(wrong)) expect(reply.body["code"]).toBe("code_invalid");
    expect((await verify(email, code)).body["code"]).toBe("code_invalid");
    const [row] = await house.deps.db.read<{ code_tries: number }>(
      "select code_tries from accounts where email = $1",
      [email],
    );
    expect(row?.code_tries).toBe(5);
  });

  it("ends a code after ten minutes", async () => {
    const email = newEmail();
    await ask(email);
    const code = await readCode(email);
    await house.deps.db.write(
      `update accounts set code_expires_at = code_expires_at - interval '10 minutes'
       where email = $1`,
      [email],
    );
    expect((await verify(email, code)).body["code"]).toBe("code_invalid");
  });

  it("keeps neither code nor session in the clear, in the database or the queue", async () => {
    const { cookie, email } = await signIn();
    await ask(email);
    const dump = await house.deps.db.read<{ text: string }>(
      `select (select jsonb_agg(to_jsonb(a)) from accounts a)::text
         || (select jsonb_agg(to_jsonb(s)) from account_sessions s)::text
         || (select jsonb_agg(to_jsonb(o)) from outbox o)::text as text`,
    );
    const code = await readCode(email);
    const text = dump[0]?.text ?? "";
    expect(code).toMatch(/^\d{4} \d{4}$/);
    for (const secret of [code, code.replace(" ", ""), cookie.split("=")[1] ?? "x"])
      expect(text).not.toContain(secret);
  });

  it("tells nobody whether an address has an account", async () => {
    const { email } = await signIn();
    const stranger = newEmail();
    expect(shape(await ask(email))).toEqual(shape(await ask(stranger)));
    const never = newEmail();
    const wrong = (one: string) => verify(one, "12345678");
    const replies = [await wrong(email), await wrong(stranger), await wrong(never)];
    const [first, ...others] = replies.map((reply) => ({
      ...shape(reply),
      text: reply.text.replace(/req_[\w-]+/, ""),
    }));
    for (const other of others) expect(other).toEqual(first);
  });

  it("is limited for one address, known or not, with what is left in the headers", async () => {
    for (const email of [newEmail(), (await signIn()).email]) {
      const replies: Reply[] = [];
      for (let i = 0; i < 7; i += 1) replies.push(await ask(email));
      const last = replies.at(-1);
      expect([last?.status, last?.body["code"]]).toEqual([429, "rate_limited"]);
      expect(last?.headers.get("ratelimit")).toMatch(/^"code-email";r=0;t=\d+$/);
      expect(last?.headers.get("ratelimit-policy")).toBe('"code-email";q=5;w=3600');
      expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });
});

describe("a session", () => {
  it("counts only for calls of our own pages", async () => {
    const { cookie } = await signIn();
    const gate = house.gate.origin;
    expect((await me(cookie, { origin: gate, "sec-fetch-site": "same-site" })).status).toBe(200);
    expect((await me(cookie, { origin: CORE_ORIGIN })).status).toBe(200);
    for (const foreign of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { origin: gate, "sec-fetch-site": "cross-site" },
    ]) {
      const reply = await me(cookie, foreign);
      expect([reply.status, reply.body["code"]]).toEqual([403, "foreign_origin"]);
      expect((await post("/v1/accounts", { email: newEmail() }, foreign)).status).toBe(403);
    }
  });

  it("is over after signing out, and does not exist without its cookie", async () => {
    const { cookie } = await signIn();
    const out = await house.request("DELETE", "/v1/accounts/session", { headers: { cookie } });
    expect(out.status).toBe(204);
    expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
    for (const shown of [cookie, "", "sira-account=x", `sira-account=${"A".repeat(43)}`])
      expect((await me(shown)).body["code"]).toBe("account_required");
  });

  it("reaches the person's own orders and no others, without an order's token", async () => {
    const { cookie } = await signIn();
    const { id } = (await me(cookie)).body;
    const mine = await sellSeats(house, { account: `${CORE_ORIGIN}|${id}` });
    const other = await sellSeats(house);
    const read = (order: string) =>
      house.request("GET", `/v1/orders/${order}`, { headers: { cookie } });
    expect((await read(mine.order)).body).toMatchObject({ id: mine.order, state: "paid" });
    expect((await read(other.order)).status).toBe(404);
    expect((await me(cookie)).body["orders"]).toMatchObject([{ id: mine.order, state: "paid" }]);
    const tokenFor = (order: string) =>
      post(`/v1/accounts/me/orders/${order}/token`, undefined, { cookie });
    expect((await tokenFor(other.order)).status).toBe(404);
    const authorization = `Order ${(await tokenFor(mine.order)).body["orderToken"]}`;
    const path = `/v1/orders/${mine.order}`;
    const opened = await house.request("GET", path, { headers: { authorization } });
    expect(opened.body["id"]).toBe(mine.order);
  });
});

describe("registering for an event", () => {
  const register = (event: string, cookie: string) =>
    post(`/v1/events/${event}/registrations`, undefined, { cookie });

  it("is once for a person, and gives an entry pass that the gate can verify", async () => {
    const event = await makeEvent(house);
    const { cookie } = await signIn();
    const first = await register(event, cookie);
    expect(first.status).toBe(201);
    const again = await register(event, cookie);
    expect(again.status).toBe(200);
    expect(again.body["registeredAt"]).toBe(first.body["registeredAt"]);
    const jwks = await house.request("GET", "/.well-known/jwks.json");
    expect(jwks.text).toContain('"sira:use":"pass"');
    const verified = await verifyToken(
      String(again.body["pass"]),
      async (kid, use) => house.deps.keys.verifying(kid, use),
      { use: "pass", issuer: CORE_ORIGIN, audience: `room/${event}`, now: Date.now() },
    );
    expect(verified).toMatchObject({ ok: true, value: { sub: (await me(cookie)).body["id"] } });
  });

  it("is one for all spellings of an address that one mailbox answers to", async () => {
    const event = await makeEvent(house);
    const one = await signIn("Some.Body@gmail.com");
    const two = await signIn("somebody+sale@googlemail.com").catch(async () => {
      // The mail goes to the address that was confirmed first.
      const reply = await verify(
        "somebody+sale@googlemail.com",
        await readCode("Some.Body@gmail.com"),
      );
      return { email: "", cookie: cookieOf(reply) };
    });
    const [a, b] = [await register(event, one.cookie), await register(event, two.cookie)];
    const subjects = [a, b].map(({ body }) => decodeJwt(String(body["pass"])).sub);
    expect(subjects[0]).toBe(subjects[1]);
    expect([a.status, b.status]).toEqual([201, 200]);
  });

  it("needs a session, an event, and a sale that is not over", async () => {
    const event = await makeEvent(house);
    const { cookie } = await signIn();
    expect((await register(event, "")).body["code"]).toBe("account_required");
    expect((await register("no-such-event", cookie)).body["code"]).toBe("unknown_event");
    await house.deps.db.write(
      `update events set sale_closes_at = now() - interval '1 second',
         sale_opens_at = now() - interval '1 day' where event_id = $1`,
      [event],
    );
    expect((await register(event, cookie)).body["code"]).toBe("sale_closed");
  });
});

it("the limit of an account counts in the hold, whatever place it stands in", async () => {
  const event = await makeEvent(house);
  await house.deps.db.write("update events set per_account_max = 2 where event_id = $1", [event]);
  const account = `${CORE_ORIGIN}|acc_1`;
  await sellSeats(house, { event, account, seats: 2 });
  await expect(sellSeats(house, { event, account, seats: 1 })).rejects.toThrow("limit_exceeded");
  await sellSeats(house, { event, account: `${CORE_ORIGIN}|acc_2`, seats: 2 });
});

it("addresses that nobody confirmed go away, confirmed ones stay", async () => {
  const { email } = await signIn();
  const stranger = newEmail();
  await ask(stranger);
  await house.deps.db.write(
    `update accounts set created_at = now() - interval '2 days', code_expires_at = now()
     where email = any ($1)`,
    [[email, stranger]],
  );
  for (const job of accountJobs) await job.run(jobCtx(house.deps, job.name, "req_test"));
  const left = await house.deps.db.read<{ email: string }>(
    "select email from accounts where email = any ($1)",
    [[email, stranger]],
  );
  expect(left).toEqual([{ email }]);
});
