// What the tests of the console share: somebody at the desk, and the organizer's own calls beside it.
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { openPage, type WatchedPage } from "../support/browser.ts";
import { type Answer, type Fan, joinQueue, request } from "../support/fan.ts";
import type { Sira } from "../support/sira.ts";

export async function signInAt(page: Page, sira: Sira, key = sira.organizerKey): Promise<void> {
  await page.getByLabel("Organizer key").fill(key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
}

/** A desk that is signed in and shows a view of an event. */
export async function openDesk(
  browser: Browser,
  sira: Sira,
  at: { event: string; view: string },
): Promise<WatchedPage> {
  const watched = await openPage(browser);
  await watched.page.setViewportSize({ width: 1280, height: 900 });
  await watched.page.goto(`${sira.edge}/console#/${at.event}/${at.view}`);
  await signInAt(watched.page, sira);
  return watched;
}

/** Presses, gives the reason, and presses again. */
export async function actAt(page: Page, name: string, reason: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByLabel("Reason (stands in the audit log)").fill(reason);
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
}

/** The same, and it was done: what lies behind a dialog cannot be typed into before it has gone. */
export async function doneAt(page: Page, name: string, reason: string): Promise<void> {
  await actAt(page, name, reason);
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

export type Organizer = <Body = Record<string, unknown>>(
  method: string,
  url: string,
  body?: unknown,
) => Promise<Answer<Body>>;

export async function organizerOf(sira: Sira, key = sira.organizerKey): Promise<Organizer> {
  const session = await request<{ token: string }>("POST", `${sira.core}/v1/organizer/sessions`, {
    body: { key },
  });
  const authorization = `Bearer ${session.body.token}`;
  let serial = 0;
  return (method, url, body) => {
    // Every act is one of its own.
    serial += 1;
    const headers = { authorization, "idempotency-key": `act-${serial}:${url}` };
    return request(method, url, { headers, ...(body === undefined ? {} : { body }) });
  };
}

/** Somebody inside: holds, makes an order of it, and pays it in one way or another. */
export function buyerOf(
  sira: Sira,
  fan: Fan,
  email = `${fan.joined.place.id.slice(-12).toLowerCase()}@example.com`,
) {
  let holdId = "";
  let order: { id: string; orderToken: string } | undefined;
  return {
    async hold(wish: object): Promise<void> {
      const path = `/v1/events/${fan.event}/holds`;
      const hold = await fan.callCore<{ id: string }>("POST", path, { body: wish });
      expect(hold.status).toBe(201);
      holdId = hold.body.id;
    },
    async pay(method: string, status: number): Promise<string> {
      const body = { holdId, buyer: { email, name: "Ayşe Işık" } };
      order ??= (
        await fan.callCore<{ id: string; orderToken: string }>("POST", "/v1/orders", { body })
      ).body;
      const paid = await request("POST", `${sira.core}/v1/orders/${order.id}/attempts`, {
        body: { method },
        headers: {
          authorization: `Order ${order.orderToken}`,
          "idempotency-key": `${method}:${order.id}`,
        },
      });
      expect(paid.status).toBe(status);
      return order.id;
    },
  };
}

/** Joins, is let in, and pays for these seats; the order's id. */
export async function buyAt(
  sira: Sira,
  event: string,
  seats: readonly string[],
  email: string,
): Promise<string> {
  const fan = await joinQueue(sira, event);
  await fan.admit();
  const buyer = buyerOf(sira, fan, email);
  await buyer.hold({ seats });
  return buyer.pay("pm_ok", 201);
}
