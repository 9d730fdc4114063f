// 843 buyers were charged twice. One act sends the money back and writes to everybody, and a process
// killed in the middle of it changes nothing about "once each".
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Mailbox, startMailbox } from "../../tools/mailbox/server.ts";
import { chargeAgain, paidOrders } from "../core/payments/bulk.ts";
import { startTestCore, type TestCore } from "../core/payments/harness.ts";
import { FLOOR_PRICE } from "../core/payments/sale.ts";
import { FAULT_TIME_SCALE } from "../core/payments/timings.ts";
import { brokenMoney } from "../invariants/money.ts";
import { waitFor } from "../support/wait-for.ts";
import { startVictim } from "./victim.ts";

const BUYERS = 843;
const KILLED_AT = 400;

let core: TestCore;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox({ port: 0, smtpPort: 0 });
  core = await startTestCore(
    undefined,
    { SMTP_URL: mailbox.smtpUrl, MAIL_FROM: "Sıra <tickets@sira.example>" },
    FAULT_TIME_SCALE,
  );
  await core.control({ webhooks: "off" });
});
afterAll(async () => {
  await core.stop();
  await mailbox.stop();
});

async function organizer(): Promise<Record<string, string>> {
  const { text } = await core.call("POST", "/v1/organizer/sessions", {
    body: { key: core.organizerKey },
  });
  return { authorization: `Bearer ${JSON.parse(text).token}` };
}

it("each is refunded once and written to once, though the process was killed at the 400th", async () => {
  const now = Date.now();
  const orders = await paidOrders(
    core,
    Array.from({ length: BUYERS }, () => ({ chargedAt: now, endedAt: now })),
  );
  // Whom the books disagree about is whom the act names.
  const charges = await chargeAgain(core, orders);
  const headers = { ...(await organizer()), "idempotency-key": "the-night-of-843" };
  const body = { charges, reason: "charged twice by a retry of ours", voucher: "SORRY10" };
  const made = await core.call("POST", "/v1/organizer/incidents", { body, headers });
  expect(made.status).toBe(202);
  const again = await core.call("POST", "/v1/organizer/incidents", { body, headers });
  const { id } = JSON.parse(again.text);
  expect(id).toBe(JSON.parse(made.text).id);

  const env = { RUN_JOBS: "true" };
  const victim = await startVictim(core, { at: "refund.after", nth: KILLED_AT, env });
  await victim.reached;
  await victim.kill();
  const refunded = (await core.charges()).filter((charge) => charge.refunded > 0).length;
  expect(refunded).toBeGreaterThanOrEqual(KILLED_AT);
  expect(refunded).toBeLessThan(BUYERS);

  // What the dead process had leased comes back when the lease has run out.
  await core.db.write("update refunds set next_try_at = now() where state in ('sent', 'unknown')");
  const heir = await startVictim(core, { env });
  const view = async () =>
    JSON.parse((await core.call("GET", `/v1/organizer/incidents/${id}`, { headers })).text);
  await waitFor(async () => {
    await sleep(250);
    const { refunds, mails } = await view();
    return refunds.open === 0 && mails === BUYERS;
  });
  await heir.kill();

  expect(await view()).toMatchObject({
    orders: BUYERS,
    done: BUYERS,
    refunds: { succeeded: BUYERS, failed: 0, open: 0 },
  });
  const returned = (await core.charges()).filter(({ refunded: back }) => back > 0);
  expect(returned.map((charge) => charge.id).sort()).toEqual([...charges].sort());
  expect(returned.every((charge) => charge.refunded === FLOOR_PRICE)).toBe(true);
  // By Message-ID, as every mail program counts.
  const mails = new Map(mailbox.mails().map((mail) => [mail.messageId, mail]));
  expect(new Set([...mails.values()].map((mail) => mail.to[0])).size).toBe(BUYERS);
  expect(mails.size).toBe(BUYERS);
  const [one] = mails.values();
  expect(one?.parts[0]?.content.toString("utf8")).toContain("SORRY10");
  expect(await brokenMoney(core.db, await core.charges())).toEqual([]);
}, 120_000);
