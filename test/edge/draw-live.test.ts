import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlaceReply, StatusDocument } from "../../shared/contract/queue.ts";
import type { Evidence } from "../../shared/draw/evidence.ts";
import { verifyEvidence } from "../../shared/draw/verify.ts";
import { buildPages } from "../../tools/build.ts";
import { ASSETS_DIR } from "../../tools/gate/start-gate.ts";
import { launchBrowser, mustSkipBrowser, openPage } from "../support/browser.ts";
import { request } from "../support/fan.ts";
import { joinAs, type Stand, startStand, until } from "./stand.ts";

// One live draw, looked at by everybody who can: the two verifiers on the command line, the page that
// verifies, and a fan's own page whose network is cut in the moment the seed is out.

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PYTHON = fileURLToPath(new URL("../shared/draw/verify_draw.py", import.meta.url));
/** For eyes: screenshots of the page go here when it is set. */
const SHOTS = process.env["SIRA_SHOTS"];

let stand: Stand;
let folder: string;
beforeAll(async () => {
  if (!existsSync(ASSETS_DIR)) await buildPages();
  folder = mkdtempSync(join(tmpdir(), "sira-live-draw-"));
  stand = await startStand();
});
afterAll(async () => {
  await stand.stop();
  rmSync(folder, { recursive: true });
});

const makeRoom = (event: string, more: Record<string, unknown> = {}) =>
  stand.room(event, {
    early: "draw",
    opensAt: new Date(Date.now() + 3_600_000).toISOString(),
    ...more,
  });
const act = (event: string, action: string, reason: string) =>
  stand.call("POST", `/api/rooms/${event}/actions`, { action, reason });

async function evidenceOf(event: string, index: number): Promise<Evidence> {
  const address = `${stand.gate.origin}/api/queue/${event}/draw?index=${index}`;
  return (await request<Evidence>("GET", address)).body;
}

const isDrawn = (event: string) =>
  until(async () => (await stand.status(event)).pool.seed !== undefined);

async function run(command: string, args: string[]): Promise<{ code: number; said: string }> {
  const child = spawn(command, args, { cwd: ROOT });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const code = await new Promise<number>((done) => child.on("close", (end) => done(end ?? -1)));
  return { code, said };
}
const drawVerify = (...args: string[]) =>
  run("npm", ["run", "--silent", "draw:verify", "--", ...args]);

test("a live draw is found right by both verifiers, and a false one wrong, as the exit code says", async () => {
  await makeRoom("live");
  const fans = await Promise.all(Array.from({ length: 40 }, () => joinAs(stand, "live")));
  const [fan] = fans;
  if (!fan) throw new Error("nobody joined");
  // Before the draw there is nothing to find right.
  const page = `${stand.gate.origin}/e/live`;
  expect((await drawVerify(page)).code).toBe(1);
  await act("live", "open", "everybody is here");
  await isDrawn("live");

  const index = fan.joined.place.index ?? -1;
  const evidence = await evidenceOf("live", index);
  const { number } = verifyEvidence(evidence, { index });
  const good = await drawVerify(page, "--place", fan.token);
  expect(good.said).toContain(`Index ${index} has number ${number}.`);
  expect(good.said).toContain("That place is yours.");
  expect(good.code).toBe(0);
  const [head = "", body = "", signature = ""] = fan.token.split(".");
  const forged = [head, body, `${signature.slice(0, -4)}AAAA`].join(".");
  expect((await drawVerify(page, "--place", forged)).code).toBe(1);

  const kept = join(folder, "draw.json");
  writeFileSync(kept, JSON.stringify(evidence));
  expect((await drawVerify(kept, "--place", fan.token)).code).toBe(0);
  const python = await run("python3", [
    ...[PYTHON, "evidence", kept, "--every"],
    ...["--index", String(index), "--place", fan.joined.place.id],
  ]);
  expect(JSON.parse(python.said)).toMatchObject({ ok: true, number });
  expect(python.code).toBe(0);

  const seed = evidence.seed?.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
  writeFileSync(kept, JSON.stringify({ ...evidence, seed }));
  expect((await drawVerify(kept)).code).toBe(1);
  expect((await run("python3", [PYTHON, "evidence", kept])).code).toBe(1);
});

describe.skipIf(mustSkipBrowser())("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  const screenOf = (page: Page) => page.locator("#main").getAttribute("data-screen");

  test("a page whose network is cut with the reveal still shows its number, and it is the right one", async () => {
    // One abandoned draw before, so that the page has something to own up to.
    await makeRoom("cut", { binding: "none", ratePerMinute: 1 });
    await act("cut", "reset", "a rehearsal");
    const { page, context, troubles } = await openPage(browser);
    await page.goto(`${stand.gate.origin}/e/cut`);
    await expect.poll(() => screenOf(page), { timeout: 20_000 }).toBe("pool");
    for (let count = 0; count < 24; count += 1) await joinAs(stand, "cut", { bound: false });
    await page.waitForLoadState("networkidle");
    let cutAt: number | undefined;
    await page.route("**/*", async (route) => {
      if (cutAt !== undefined) return await route.abort("internetdisconnected");
      if (!route.request().url().endsWith("/status")) return await route.continue();
      const answer = await route.fetch();
      const status = (await answer.json()) as StatusDocument;
      if (status.pool.seed !== undefined) cutAt = Date.now();
      return await route.fulfill({ response: answer });
    });
    await act("cut", "open", "everybody is here");
    await expect
      .poll(() => page.locator("#number").textContent(), { timeout: 30_000 })
      .toMatch(/\d/);
    expect(cutAt).toBeDefined();
    const shown = Number(await page.locator("#number").textContent());
    const kept = await page.evaluate(
      () =>
        new Promise<{ token: string; place: { id: string; index: number } }>((resolve) => {
          const opening = indexedDB.open("sira", 1);
          opening.onsuccess = () => {
            const asked = opening.result.transaction("kv").objectStore("kv").get("place:cut");
            asked.onsuccess = () => resolve(asked.result);
          };
        }),
    );
    const { index } = kept.place;
    const evidence = await evidenceOf("cut", index);
    expect(shown).toBe(verifyEvidence(evidence, { index, place: kept.place.id }).number);
    const own = await request<PlaceReply>("GET", `${stand.gate.origin}/api/queue/cut/place`, {
      headers: { authorization: `Place ${kept.token}` },
    });
    expect(own.body.place.number).toBe(shown);
    await page.unroute("**/*");
    expect(
      troubles.filter((trouble) => !/ERR_INTERNET_DISCONNECTED|Failed to load/.test(trouble)),
    ).toEqual([]);

    // The same browser checks its own number, on the page made for it.
    await page.goto(`${stand.gate.origin}/verify/cut`);
    await page.getByRole("heading", { name: "The draw is right" }).waitFor();
    expect(await page.locator("#explain").textContent()).toContain(String(shown));
    const checks = page.locator("#checks li");
    expect(await checks.filter({ hasText: "a rehearsal" }).count()).toBe(1);
    expect(await page.locator("#checks li.failed").count()).toBe(0);
    await page.getByRole("button", { name: "Draw all numbers again" }).click();
    await page.getByText("All 25 numbers were drawn again").waitFor();
    if (SHOTS !== undefined) await takeShots(page);
    await context.close();
  });
});

async function takeShots(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1_280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({
        path: `${SHOTS}/verify-${width}-${colorScheme}.png`,
        fullPage: true,
      });
    }
  }
}
