// What the tests of the queue page share: what is on the screen, and a core that reports.
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { CapacityReport } from "../../shared/contract/rooms.ts";
import type { Stand } from "../edge/stand.ts";

export const WAIT_MS = 25_000;

const lira = (amount: number) => ({ amount, currency: "TRY" });

/** Asks now, as when the network comes back, instead of after the seconds between polls. */
export const nudge = (page: Page): Promise<void> =>
  page.evaluate(() => {
    dispatchEvent(new Event("online"));
  });

export async function expectScreen(page: Page, screen: string): Promise<void> {
  const look = async () => {
    await nudge(page);
    return page.evaluate(() => document.getElementById("main")?.dataset["screen"]);
  };
  await expect.poll(look, { timeout: WAIT_MS, interval: 300 }).toBe(screen);
}

/** One reading of a core that sells two price tiers, one of which is sold out. */
export async function reportCapacity(
  stand: Stand,
  event: string,
  seats: Partial<CapacityReport>,
): Promise<void> {
  const reading: CapacityReport = {
    inFlight: 1,
    p95Ms: 10,
    limitPerMinute: 6_000,
    available: 2_400,
    held: 310,
    paying: 12,
    sold: 5_280,
    tiers: [
      { id: "floor", name: "Floor", price: lira(180_000), soldOut: true },
      { id: "stands", name: "Stands", price: lira(95_000), soldOut: false },
    ],
    at: new Date().toISOString(),
    ...seats,
  };
  const sent = await fetch(`${stand.gate.origin}/api/rooms/${event}/capacity`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await stand.service("capacity")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(reading),
  });
  expect(sent.status).toBe(204);
}

/** The core reports each second for as long as the line should move. @returns how to stop it */
export function keepReportingCapacity(
  stand: Stand,
  event: string,
  seats: Partial<CapacityReport>,
): () => void {
  const timer = setInterval(() => void reportCapacity(stand, event, seats), 1_000);
  return () => clearInterval(timer);
}
