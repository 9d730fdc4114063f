// One person's whole way through the running system: signs in by a code from the mailbox, registers,
// joins a room that asks for passes, buys, gets the tickets by mail, opens the order from the mail, and
// goes in at the door.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOpenEvent } from "../support/events.ts";
import { joinQueue, request } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { waitFor } from "../support/wait-for.ts";

let sira: Sira;
beforeAll(async () => {
  sira = await startSira();
});
afterAll(() => sira.stop());

type KeptMail = { id: number; to: string[]; subject: string; text: string; messageId: string };
const EMAIL = "ayse@example.com";

async function mailWith(pattern: RegExp): Promise<{ mail: KeptMail; match: RegExpExecArray }> {
  let found: { mail: KeptMail; match: RegExpExecArray } | undefined;
  await waitFor(async () => {
    const list = await request<{ mails: KeptMail[] }>("GET", `${sira.mailbox}/mails.json`);
    for (const mail of list.body.mails) {
      const match = pattern.exec(mail.text);
      if (match !== null && mail.to.includes(EMAIL)) found = { mail, match };
    }
    return found !== undefined;
  });
  if (found === undefined) throw new Error("no such mail");
  return found;
}

test("from the sign-in to the door, with an entry pass and mails that arrive", async () => {
  const { event } = await createOpenEvent(sira, { room: { entry: "pass" } });
  const ours = { origin: sira.edge };

  await request("POST", `${sira.core}/v1/accounts`, { body: { email: EMAIL }, headers: ours });
  const code = (await mailWith(/(\d{4} \d{4})/)).match[1];
  const session = await request("POST", `${sira.core}/v1/accounts/verify`, {
    body: { email: EMAIL, code },
    headers: ours,
  });
  expect(session.status).toBe(200);
  expect(session.headers.get("access-control-allow-credentials")).toBe("true");
  const cookie = (session.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const registration = await request<{ pass: string }>(
    "POST",
    `${sira.core}/v1/events/${event}/registrations`,
    { headers: { ...ours, cookie } },
  );
  expect(registration.status).toBe(201);

  await expect(joinQueue(sira, event)).rejects.toThrow("403");
  const fan = await joinQueue(sira, event, { pass: registration.body.pass });
  await fan.admit();
  const hold = await fan.callCore<{ id: string }>("POST", `/v1/events/${event}/holds`, {
    body: { seats: ["A-1-1", "A-1-2"] },
  });
  expect(hold.status).toBe(201);
  const made = await fan.callCore<{ id: string }>("POST", "/v1/orders", {
    body: { holdId: hold.body.id, buyer: { email: EMAIL, name: "Ayşe", locale: "tr" } },
  });
  const order = made.body.id;
  // The person's own account reaches the order without its token.
  const paid = await request("POST", `${sira.core}/v1/orders/${order}/attempts`, {
    body: { method: "pm_ok" },
    headers: { ...ours, cookie, "idempotency-key": "one-key" },
  });
  expect(paid.status).toBe(201);

  const { mail, match } = await mailWith(new RegExp(`/orders/${order}#token=(\\S+)`));
  expect(mail.subject).toContain("Biletleriniz");
  const opened = await request<{ state: string; tickets: { code: string }[] }>(
    "GET",
    `${sira.core}/v1/orders/${order}`,
    { headers: { authorization: `Order ${match[1]}` } },
  );
  expect(opened.body).toMatchObject({ state: "paid" });
  expect(opened.body.tickets).toHaveLength(2);

  const organizer = await request<{ token: string }>("POST", `${sira.core}/v1/organizer/sessions`, {
    body: { key: sira.organizerKey },
  });
  const scan = () =>
    request<{ scans: { result: string }[] }>(
      "POST",
      `${sira.core}/v1/organizer/events/${event}/checkins`,
      {
        headers: { authorization: `Bearer ${organizer.body.token}` },
        body: {
          gate: "North",
          scans: [{ id: crypto.randomUUID(), code: opened.body.tickets[0]?.code }],
        },
      },
    );
  expect((await scan()).body.scans).toMatchObject([{ result: "admitted" }]);
  expect((await scan()).body.scans).toMatchObject([
    { result: "already", first: { gate: "North" } },
  ]);
});
