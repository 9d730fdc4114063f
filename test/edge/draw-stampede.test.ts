import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Facts, freshFacts, withNumber, withStatus } from "../../edge/pages/queue/facts.ts";
import { ownNumber } from "../../edge/pages/queue/own-number.ts";
import { doorAnswers, isNear, nextPollMs } from "../../edge/pages/queue/poll.ts";
import type { StatusDocument } from "../../shared/contract/queue.ts";
import { request } from "../support/fan.ts";
import { joinAs, type Stand, startStand, type TestFan } from "./stand.ts";

// The pages' own code decides when each of them asks, and computes its number; only the browser around
// it is left out.

const FANS = 2_000;
const JOINING_AT_ONCE = 40;
const LOOK_MS = 10_000;

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

type Page = { fan: TestFan; facts: Facts };
type Call = { at: number; what: "status" | "turn"; number: number | undefined; near: number };

async function joinAll(event: string): Promise<Page[]> {
  const pages: Page[] = [];
  await Promise.all(
    Array.from({ length: JOINING_AT_ONCE }, async (_, worker) => {
      for (let at = worker; at < FANS; at += JOINING_AT_ONCE) {
        const fan = await joinAs(stand, event);
        const { place, token } = fan.joined;
        pages.push({ fan, facts: { ...freshFacts(event), place, token } });
      }
    }),
  );
  return pages;
}

/** One page from before the opening until `until`: asks as often as its own code says. */
async function live(page: Page, more: { until: number; calls: Call[] }): Promise<void> {
  // The highest number that the page's last look counted among the near ones.
  const near = (): number => {
    const { status } = page.facts;
    return status ? status.calling + status.poll.nearAhead : 0;
  };
  const note = (what: Call["what"]): void => {
    more.calls.push({ at: Date.now(), what, number: page.facts.number, near: near() });
  };
  const read = async (): Promise<void> => {
    note("status");
    const url = `${stand.gate.origin}/api/queue/${page.facts.event}/status`;
    const { body } = await request<StatusDocument>("GET", url);
    page.facts = withStatus(page.facts, body);
    page.facts = withNumber(page.facts, await ownNumber(page.facts));
  };
  for (;;) {
    const pause = nextPollMs({
      facts: page.facts,
      hidden: false,
      now: Date.now(),
      random: Math.random(),
    });
    if (Date.now() + pause > more.until) return;
    await sleep(pause);
    await read();
    if (!doorAnswers(page.facts) || !isNear(page.facts)) continue;
    note("turn");
    await page.fan.turn();
  }
}

test("2,000 pages learn their numbers at the opening with one look each at the shared document", async () => {
  await stand.room("calm", {
    early: "draw",
    opensAt: new Date(Date.now() + 3_600_000).toISOString(),
    ratePerMinute: 60,
  });
  const pages = await joinAll("calm");
  const opensAt = Date.now() + 4_000;
  await stand.call("PATCH", "/api/rooms/calm", { opensAt: new Date(opensAt).toISOString() });
  const early = await stand.status("calm");
  expect([early.phase, early.pool.count]).toEqual(["upcoming", FANS]);
  const calls: Call[] = [];
  await Promise.all(
    pages.map((page) => {
      page.facts = withStatus(page.facts, early);
      return live(page, { until: opensAt + LOOK_MS, calls });
    }),
  );
  const after = calls.filter(({ at }) => at >= opensAt);
  const statuses = after.filter(({ what }) => what === "status").length;
  const turns = after.filter(({ what }) => what === "turn");
  console.log(
    `${FANS} pages, first ${LOOK_MS / 1_000} s: ${statuses} looks at the shared document, ${turns.length} turns, nothing else`,
  );

  const numbers = pages.map(({ facts }) => facts.number ?? 0).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: FANS }, (_, at) => at + 1));
  // One look each, and a few more of those alone whose turn is near: a minute or two of admissions.
  const near = Math.max(...after.map((call) => call.near));
  expect(near).toBeLessThan(0.25 * FANS);
  expect(turns.length).toBeGreaterThan(0);
  expect(turns.filter(({ number = 0 }) => number > near)).toEqual([]);
  const far = after.filter(({ what, number = 0 }) => what === "status" && number > near);
  expect(far.length).toBeLessThan(0.1 * FANS);
  expect(statuses).toBeLessThan(2 * FANS);
});
