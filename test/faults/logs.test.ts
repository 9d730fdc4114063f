// Everything that a run of the core and of the payment simulator writes, searched for what must never
// stand in a log: secrets, tokens, and who the buyers are.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Mailbox, startMailbox } from "../../tools/mailbox/server.ts";
import { startTestCore, type TestCore } from "../core/payments/harness.ts";
import { asBuyer, newBuyer, openSale, seat, unique } from "../core/payments/sale.ts";
import { FAULT_TIME_SCALE } from "../core/payments/timings.ts";
import { waitFor } from "../support/wait-for.ts";
import { startVictim } from "./victim.ts";

let core: TestCore;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox({ port: 0, smtpPort: 0 });
  core = await startTestCore(undefined, { SMTP_URL: mailbox.smtpUrl }, FAULT_TIME_SCALE);
});
afterAll(async () => {
  await core.stop();
  await mailbox.stop();
});

it("a whole run's logs carry no secret, no token and nobody's name or address", async () => {
  const run = await startVictim(core, { env: { LOG_LEVEL: "trace", RUN_JOBS: "true" } });
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ) =>
    fetch(run.origin + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const signedIn = await ask("POST", "/v1/organizer/sessions", {}, { key: core.organizerKey });
  const { token } = JSON.parse(await signedIn.text());
  await ask("POST", "/v1/organizer/sessions", {}, { key: "a-wrong-key-of-somebody" });
  const organizer = { authorization: `Bearer ${token}` };
  const sale = await openSale(core);
  const buyers = [];
  for (const [i, method] of ["pm_ok", "pm_declined", "pm_lost", "pm_error"].entries()) {
    const buyer = await newBuyer(core, sale, [seat(i + 1)]);
    buyers.push(buyer);
    await ask("PATCH", `/v1/orders/${buyer.order}/buyer`, asBuyer(buyer), {
      email: `secret-fan-${i}@example.org`,
      name: "Ayşe Saklıgül",
    });
    await run.pay(buyer, method, unique("key"));
    for (const path of ["", "/tickets"])
      await ask("GET", `/v1/orders/${buyer.order}${path}?token=${buyer.token}`, asBuyer(buyer));
    await ask("GET", `/v1/orders/${buyer.order}`, { authorization: `Order ${buyer.token}x` });
    await ask(
      "GET",
      `/v1/organizer/orders?event=${sale.event}&email=secret-fan-${i}@example.org`,
      organizer,
    );
    await ask(
      "POST",
      `/v1/organizer/orders/${buyer.order}/refunds`,
      {
        ...organizer,
        "idempotency-key": unique("refund"),
      },
      { reason: "asked for" },
    );
  }
  await waitFor(() => mailbox.mails().length >= 2);
  await sleep(300);
  await run.kill();

  const written = run.output();
  // The search would find nothing in a run that wrote nothing.
  for (const { order } of buyers) expect(written).toContain(order);
  const { environment } = core;
  const forbidden = [
    environment.CORE_SECRET,
    environment.ORGANIZER_KEY,
    environment.PSP_SECRET,
    environment.PSP_WEBHOOK_SECRET,
    "a-wrong-key-of-somebody",
    token,
    ...buyers.map((buyer) => buyer.token),
    ...[...environment.CORE_KEYS.matchAll(/"d":"([^"]+)"/g)].map(([, secret = ""]) => secret),
    "Saklıgül",
    "Işık",
  ];
  for (const secret of forbidden) expect(written.includes(secret), secret.slice(0, 12)).toBe(false);
  expect(written).not.toMatch(/[\w.-]+@example\.(com|org)/);
  // Nothing that looks like a signed token, whoever signed it.
  expect(written).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/);
});
