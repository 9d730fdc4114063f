// Everything that a run of the whole system writes (core, gate on workerd, payment simulator, mailbox),
// searched for what must never stand in a log: secrets, tokens, and who the buyers are.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOpenEvent } from "../support/events.ts";
import { type Answer, type Fan, joinQueue, request } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { waitFor } from "../support/wait-for.ts";

let sira: Sira;
beforeAll(async () => {
  sira = await startSira({
    coreEnv: { LOG_LEVEL: "trace" },
    // The faults of the simulator in a tenth of their time.
    pspEnv: { PSP_TIME_SCALE: "0.1" },
  });
});
afterAll(() => sira?.stop());

const EMAIL = "secret-fan@example.org";
const NAME = "Ayşe Saklıgül";
const WRONG_KEY = "a-wrong-key-of-somebody";
/** Whatever was given to somebody in confidence. */
const given = new Set<string>();
const confide = (text: unknown) => {
  if (typeof text === "string" && text.length > 7) given.add(text);
};
const orders: string[] = [];
const keysSent: string[] = [];

type Call = { body?: unknown; headers?: Record<string, string> };
const at =
  (origin: string) =>
  (method: string, path: string, more: Call = {}) =>
    request<Record<string, unknown>>(method, origin + path, more);

async function signIn(): Promise<Record<string, string>> {
  const core = at(sira.core);
  await core("POST", "/v1/organizer/sessions", { body: { key: WRONG_KEY } });
  const { body } = await core("POST", "/v1/organizer/sessions", {
    body: { key: sira.organizerKey },
  });
  confide(body["token"]);
  return { authorization: `Bearer ${body["token"]}` };
}

/** Queue, seats, a payment of this kind, tickets; and each credential also where it does not belong. */
async function walk(event: string, method: string, seat: string): Promise<Fan> {
  const [core, edge] = [at(sira.core), at(sira.edge)];
  const fan = await joinQueue(sira, event);
  confide(fan.joined.token);
  const admission = await fan.admit();
  confide(admission.token);
  const hold = await fan.callCore("POST", `/v1/events/${event}/holds`, {
    body: { seats: [seat] },
    headers: { "idempotency-key": randomUUID() },
  });
  const order = await fan.callCore("POST", "/v1/orders", {
    body: { holdId: hold.body["id"], buyer: { email: EMAIL, name: NAME } },
  });
  const token = String(order.body["orderToken"]);
  confide(token);
  const path = `/v1/orders/${order.body["id"]}`;
  orders.push(String(order.body["id"]));
  const headers = { authorization: `Order ${token}` };
  keysSent.push(randomUUID());
  await core("POST", `${path}/attempts`, {
    body: { method, origin: "press" },
    headers: { ...headers, "idempotency-key": keysSent.at(-1) ?? "" },
  });
  await core("GET", `${path}?token=${token}`, { headers });
  const tickets = await core("GET", `${path}/tickets`, { headers });
  for (const ticket of (tickets.body["tickets"] as { code: string }[] | undefined) ?? [])
    confide(ticket.code);
  // Somebody tries what they have found.
  await core("GET", path, { headers: { authorization: `Order ${token}x` } });
  await core("GET", path, { headers: { authorization: `Bearer ${admission.token}` } });
  await core("POST", `/v1/events/${event}/holds`, {
    body: { seats: [seat] },
    headers: { authorization: `DPoP ${admission.token}`, dpop: fan.joined.token },
  });
  for (const credential of [fan.joined.token, admission.token, token, "nonsense"]) {
    const authorization = { authorization: `Place ${credential}` };
    await edge("POST", `/api/queue/${event}/turn?t=${credential}`, {
      body: {},
      headers: { ...authorization, dpop: credential, cookie: `sira-${event}=${credential}` },
    });
    await edge("PATCH", `/api/rooms/${event}`, {
      body: { notice: EMAIL },
      headers: { authorization: `Bearer ${credential}` },
    });
  }
  return fan;
}

/** A person with an account: code by mail, session in a cookie. */
async function openAccount(): Promise<void> {
  const core = at(sira.core);
  await core("POST", "/v1/accounts", { body: { email: EMAIL } });
  const mails = async () => {
    const { text } = await at(sira.mailbox)("GET", "/mails.json");
    return text;
  };
  await waitFor(async () => /\d{4} \d{4}/.test(await mails()));
  const [code = ""] = /\d{4} \d{4}/.exec(await mails()) ?? [];
  confide(code);
  const verified = await core("POST", "/v1/accounts/verify", { body: { email: EMAIL, code } });
  expect(verified.status, verified.text).toBe(200);
  const [cookie = ""] = (verified.headers.get("set-cookie") ?? "").split(";");
  confide(cookie.split("=")[1]);
  await core("GET", "/v1/accounts/me", { headers: { cookie } });
  await core("GET", "/v1/accounts/me", { headers: { cookie: `${cookie}x` } });
}

/** What only machines say to each other, and what a stranger says in their place. */
async function knockAsMachine(organizer: Record<string, string>, event: string): Promise<Answer[]> {
  const [core, edge] = [at(sira.core), at(sira.edge)];
  const forged = { "webhook-id": "evt_1", "webhook-timestamp": "1", "webhook-signature": "v1,x" };
  const bearer = organizer["authorization"] ?? "";
  return [
    await core("POST", "/v1/webhooks/simulator", { body: { to: EMAIL }, headers: forged }),
    await core("GET", `/v1/organizer/orders?event=${event}&email=${EMAIL}`, { headers: organizer }),
    await core("POST", `/v1/organizer/orders/${orders[0]}/refunds`, {
      body: { reason: "asked for" },
      headers: { ...organizer, "idempotency-key": "refund-1" },
    }),
    await edge("PATCH", `/api/rooms/${event}`, { body: { notice: "Welcome" }, headers: organizer }),
    await edge("POST", `/api/rooms/${event}/capacity`, { body: {}, headers: organizer }),
    await at(sira.psp)("POST", "/v1/charges", {
      body: { reference: EMAIL, method: "pm_ok" },
      headers: { authorization: bearer },
    }),
  ];
}

it("a whole run's logs carry no secret, no token and nobody's name or address", async () => {
  const organizer = await signIn();
  const { event } = await createOpenEvent(sira);
  const fans: Fan[] = [];
  for (const [index, method] of ["pm_ok", "pm_declined", "pm_lost", "pm_error"].entries())
    fans.push(await walk(event, method, `A-1-${index + 1}`));
  await openAccount();
  await knockAsMachine(organizer, event);
  await waitFor(async () => (await at(sira.mailbox)("GET", "/mails.json")).text.includes("ticket"));
  // The core dies, and the gate has to say so.
  sira.programs.core.kill("SIGKILL");
  await sira.programs.core.exited;
  for (const fan of fans) await fan.turn();
  await at(sira.edge)("GET", `/v1/events/${event}`);

  const { keys } = sira;
  const forbidden = [
    ...given,
    keys.coreSecret,
    keys.organizerKey,
    keys.pspSecret,
    keys.pspWebhookSecret,
    keys.roomSecret,
    ...[JSON.stringify(keys.coreKeys), JSON.stringify(keys.gateKeys)].flatMap((text) =>
      [...text.matchAll(/"d":"([^"]+)"/g)].map(([, secret = ""]) => secret),
    ),
    WRONG_KEY,
    NAME,
    "Saklıgül",
  ];
  expect(forbidden.length).toBeGreaterThan(20);
  for (const [name, program] of Object.entries(sira.programs)) {
    const written = readFileSync(program.logFile, "utf8");
    // The search would find nothing in a run that wrote nothing.
    if (name === "core") for (const order of orders) expect(written).toContain(order);
    // What was sent can be proved: each confirm stands beside the client's key and the provider's charge.
    if (name === "core")
      for (const key of keysSent)
        expect(written).toMatch(
          new RegExp(`"attempt":"att_[^"]+","idempotencyKey":"${key}","ref":"ch_[^"]+"`),
        );
    if (name === "gate") expect(written.length).toBeGreaterThan(100);
    for (const secret of forbidden)
      expect(written.includes(secret), `${name}: ${secret.slice(0, 12)}`).toBe(false);
    expect(written, name).not.toMatch(/[\w.-]+@example\.(com|org)/);
    // Nothing that looks like a signed token, whoever signed it.
    expect(written, name).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/);
  }
}, 120_000);
