// Choosing in a real browser while others choose too, and a card form that only its own page may load.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, mustSkipBrowser } from "../support/browser.ts";
import { createOpenEvent } from "../support/events.ts";
import { joinQueue } from "../support/fan.ts";
import { type Sira, startSira } from "../support/sira.ts";
import { waitFor } from "../support/wait-for.ts";
import { findBarriers } from "./axe.ts";
import { enterShop, type Shop } from "./enter-shop.ts";
import { serveStandIn } from "./stripe-stand-in.ts";

const WAIT = { timeout: 20_000 };

/** The page's monotonic clock, with a lever: waiting ten minutes is nobody's idea of a test. */
const letTimeJump = (page: Page) =>
  page.addInitScript(() => {
    const real = performance.now.bind(performance);
    let skipped = 0;
    performance.now = () => real() + skipped;
    Reflect.set(window, "jump", (ms: number) => {
      skipped += ms;
    });
  });

const HALL = {
  fees: { perTicket: 250, perOrder: 300, taxBasisPoints: 1_000 },
  zones: [
    { id: "stalls", name: "Stalls", price: 10_000, kind: "seated" as const },
    { id: "balcony", name: "Balcony", price: 4_000, kind: "seated" as const },
    {
      id: "floor",
      name: "Standing",
      price: 5_000,
      fee: 100,
      kind: "standing" as const,
      capacity: 50,
    },
  ],
  sections: [
    {
      id: "A",
      name: "Section A",
      rows: ["1", "2"].map((id) => ({ id, zone: "stalls", seats: 10 })),
    },
    {
      id: "B",
      name: "Section B",
      rows: [
        { id: "1", zone: "balcony", seats: 10 },
        { id: "2", zone: "balcony", seats: 4, accessible: [1], companions: [2] },
      ],
    },
  ],
  addons: [
    { id: "parking", name: "Parking", price: 2_000, stock: 30 },
    { id: "shirt", name: "Shirt", price: 9_000, stock: 0, variants: ["M"] },
  ],
};

describe.skipIf(mustSkipBrowser())("choosing", () => {
  let sira: Sira;
  let browser: Browser;
  let standIn: Awaited<ReturnType<typeof serveStandIn>>;
  let event: string;
  let short: string;
  beforeAll(async () => {
    standIn = await serveStandIn();
    const gateEnv = { STRIPE_PUBLISHABLE_KEY: "pk_test_standin", STRIPE_SCRIPT: standIn.script };
    [sira, browser] = await Promise.all([startSira({ gateEnv }), launchBrowser()]);
    const room = { binding: "none" };
    ({ event } = await createOpenEvent(sira, { room, description: HALL }));
    ({ event: short } = await createOpenEvent(sira, { room, description: HALL }));
  });
  afterAll(async () => {
    await browser?.close();
    await sira?.stop();
    await standIn?.stop();
  });

  const open = (prepare?: (page: Page) => Promise<unknown>, of = event): Promise<Shop> =>
    enterShop(browser, sira, { event: of, ...(prepare ? { prepare } : {}) });
  const rival = async (seats: string[]) => {
    const fan = await joinQueue(sira, event, { bound: false });
    await fan.admit();
    const reply = await fan.callCore("POST", `/v1/events/${event}/holds`, { body: { seats } });
    expect(reply.status).toBe(201);
  };
  const pick = async (page: Page, section: string, seat: RegExp) => {
    await page.getByRole("button", { name: "List", exact: true }).click();
    const block = page.getByRole("button", { name: new RegExp(`^${section}`) });
    if ((await block.getAttribute("aria-expanded")) !== "true") await block.click();
    await page.getByRole("button", { name: seat }).click();
  };
  const held = (page: Page) => page.locator(".held").waitFor(WAIT);

  test("shows at once, by the stream, what somebody else takes, with others one tap away", async () => {
    const { page, context } = await open();
    await page.getByText("The map is live").waitFor(WAIT);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/seats")) asked.push(request.url());
    });
    await pick(page, "Section A", /row 1, seat 5,/);
    await rival(["A-1-5"]);
    await page.getByRole("alert").filter({ hasText: "A 1/5" }).waitFor(WAIT);
    expect(asked).toEqual([]);
    expect(await page.locator(".chosen").count()).toBe(0);
    await page.locator(".taken button").first().click();
    await page.locator(".chosen li").first().waitFor(WAIT);
    await page.getByRole("button", { name: "Hold these seats" }).click();
    await held(page);
    await context.close();
  });

  test("asks every few seconds instead when the stream fails", async () => {
    const { page, context } = await open((fresh) =>
      fresh.route("**/stream*", (route) => route.abort()),
    );
    await page.getByText("The map is refreshed every few seconds").waitFor(WAIT);
    await pick(page, "Section A", /row 1, seat 7,/);
    await rival(["A-1-7"]);
    await page.getByRole("alert").filter({ hasText: "A 1/7" }).waitFor(WAIT);
    await context.close();
  });

  test("tells how many look at a block", async () => {
    const [one, other] = [await open(), await open()];
    for (const { page } of [one, other]) {
      await page.getByRole("button", { name: "List", exact: true }).click();
      await page.locator(".section").nth(1).click();
    }
    const told = one.page.getByText(/1 person looking/);
    // Whoever looked first hears of the second with the next heartbeat, or by opening it again.
    await waitFor(async () => {
      if (await told.isVisible()) return true;
      await one.page.locator(".section").nth(1).click();
      await one.page.locator(".section").nth(1).click();
      await one.page.waitForTimeout(1_500);
      return told.isVisible();
    });
    for (const { context } of [one, other]) await context.close();
  });

  test("finds the best by number, price and block, and places for wheelchairs with company", async () => {
    const { page, context } = await open();
    const bodies: unknown[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/holds")) bodies.push(request.postDataJSON());
    });
    await page.getByRole("button", { name: "Best seats" }).click();
    await page.getByRole("button", { name: "One more", exact: true }).click();
    await page.getByRole("radio", { name: /Balcony/ }).check();
    await page.getByRole("combobox", { name: "Block" }).selectOption("B");
    await page.getByRole("checkbox", { name: /Only side by side/ }).check();
    await page.getByRole("button", { name: "Find the best seats" }).click();
    await held(page);
    expect(bodies.at(-1)).toEqual({
      best: { quantity: 3, zone: "balcony", section: "B", together: true },
    });
    await page.getByRole("button", { name: "Give the seats back" }).click();
    await page.locator(".tabs").waitFor(WAIT);
    await page.getByRole("button", { name: "List", exact: true }).click();
    await page.getByRole("checkbox", { name: /Only wheelchair places/ }).check();
    await page.getByRole("button", { name: /^Section B/ }).click();
    await page.getByRole("button", { name: /row 2, seat 2, .*companion seat/ }).click();
    await page.getByText("A companion seat goes with the wheelchair place").waitFor(WAIT);
    expect(await page.getByRole("button", { name: "Hold these seats" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: /row 2, seat 1, .*wheelchair place/ }).click();
    await page.getByRole("button", { name: "Hold these seats" }).click();
    await held(page);
    await context.close();
  });

  test("picks on the map the seat under the finger", async () => {
    const { page, context } = await open();
    const canvas = page.locator(".map canvas");
    const box = await canvas.boundingBox();
    if (!box) throw new Error("the plan has no box");
    await canvas.click({ position: { x: box.width / 2, y: box.height / 2 } });
    await page.waitForTimeout(700);
    /** The colour of the choice is on the plan within a third of a seat of this point. */
    const isLitAt = (x: number, y: number) =>
      canvas.evaluate(
        (element, at) => {
          if (!(element instanceof HTMLCanvasElement)) return false;
          const ratio = element.width / element.clientWidth;
          const side = Math.round(18 * ratio);
          const left = Math.round(at.x * ratio - side / 2);
          const top = Math.round(at.y * ratio - side / 2);
          const data = element.getContext("2d")?.getImageData(left, top, side, side).data ?? [];
          for (let i = 0; i < data.length; i += 4)
            if (data[i] === 0xff && data[i + 1] === 0xb9 && data[i + 2] === 0x38) return true;
          return false;
        },
        { x, y },
      );
    let chosen = 0;
    for (let x = 30; x < box.width - 30 && chosen < 4; x += 31)
      for (let y = 30; y < box.height - 30 && chosen < 4; y += 47) {
        await canvas.click({ position: { x, y } });
        await page.waitForTimeout(60);
        const now = await page.locator(".chosen li").count();
        if (now > chosen) expect(await isLitAt(x, y), `${x}, ${y}`).toBe(true);
        chosen = Math.max(chosen, now);
      }
    expect(chosen).toBe(4);
    await page.getByRole("button", { name: "Clear" }).click();
    await canvas.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.locator(".chosen li").first().waitFor(WAIT);
    await context.close();
  });

  test("holds extras with the seats and shows the whole sum before anybody pays", async () => {
    const { page, context } = await open();
    await page.getByRole("button", { name: "One more: Parking" }).click();
    expect(await page.getByRole("button", { name: "One more: Shirt, M" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Standing", exact: true }).click();
    // 2 × 50 and the parking, 2 × 1 of the price's own fee, 3 an order, and a tenth of all that.
    await page.getByText("₺137.50 with all fees").waitFor(WAIT);
    await page.getByRole("button", { name: "Hold 2 places" }).click();
    await held(page);
    const shows = (text: string) => page.locator(".lines > div", { hasText: text }).waitFor(WAIT);
    await shows("₺137.50");
    const added = ["Parking", "2 × Fee per ticket₺2.00", "Fee per order₺3.00", "Tax₺12.50"];
    for (const line of added) await shows(line);
    await page.locator("input[name=email]").fill("fan@example.org");
    await page.locator("input[name=name]").fill("A Fan");
    await page.locator(".held button[type=submit]").click();
    await page.waitForURL("**/orders/**", WAIT);
    // The order's own lines, from the core, come to the same.
    for (const line of [...added, "₺137.50"]) await shows(line);
    await context.close();
  });

  test("warns at two minutes and at thirty seconds, gives more time once, and ends honestly", async () => {
    const { page, context } = await open(letTimeJump, short);
    const jump = (ms: number) => page.evaluate((by) => Reflect.get(window, "jump")(by), ms);
    const spoken = page.locator(".hold-board .board-line[role=status]");
    await page.getByRole("button", { name: "Best seats" }).click();
    await page.getByRole("button", { name: "Find the best seats" }).click();
    await held(page);
    expect(await spoken.textContent()).toMatch(/^until/);
    await jump(8 * 60_000 + 5_000);
    await waitFor(async () =>
      /^Your seats are held for 2 minutes more/.test((await spoken.textContent()) ?? ""),
    );
    await page.getByRole("button", { name: "I need more time" }).click();
    await page.getByText(/Your seats are held until/).waitFor(WAIT);
    expect(await page.getByRole("button", { name: "I need more time" }).isDisabled()).toBe(true);
    expect(await spoken.textContent()).toMatch(/^until/);
    await jump(11 * 60_000 + 28_000);
    await waitFor(async () =>
      /^Your seats are held for 2\d seconds more/.test((await spoken.textContent()) ?? ""),
    );
    await jump(35_000);
    await page.getByRole("heading", { name: "Your seats are free again" }).waitFor(WAIT);
    expect(await findBarriers(page)).toEqual([]);
    await context.close();
  });

  test("loads the provider's script on the payment page alone, under that page's own policy", async () => {
    const { page, context, troubles } = await open();
    const loaded: string[] = [];
    page.on("request", (request) => {
      if (request.url() === standIn.script) loaded.push(page.url());
    });
    await page.getByRole("button", { name: "Standing", exact: true }).click();
    await page.getByRole("button", { name: "Hold 2 places" }).click();
    await held(page);
    await page.locator("input[name=email]").fill("fan@example.org");
    await page.locator("input[name=name]").fill("A Fan");
    await page.locator(".held button[type=submit]").click();
    await page.waitForURL("**/orders/**", WAIT);
    const order = await page.goto(page.url());
    const ordersPolicy = order?.headers()["content-security-policy"] ?? "";
    expect(ordersPolicy).not.toContain(new URL(standIn.script).origin);
    expect(loaded).toEqual([]);
    const paying = page.waitForResponse((reply) => reply.url().includes("/pay/"));
    await page.getByRole("link", { name: /by card/ }).click();
    const policy = (await paying.then((reply) => reply.headers()))["content-security-policy"] ?? "";
    expect(policy).toContain(`script-src 'self' ${new URL(standIn.script).origin};`);
    expect(policy).not.toMatch(/unsafe|, default-src/);
    await page.locator("#card-number").waitFor(WAIT);
    const asked = JSON.parse((await page.locator(".card-form").getAttribute("data-asked")) ?? "{}");
    expect(asked).toMatchObject({ key: "pk_test_standin", amount: 11_550, currency: "try" });
    expect(await findBarriers(page)).toEqual([]);
    await page.locator(".pay button[type=submit]").click();
    await page.getByText("Your card number is incomplete.").waitFor(WAIT);
    await page.locator("#card-number").fill("4242424242424242");
    await page.locator(".pay button[type=submit]").click();
    await page.waitForURL("**/orders/**", WAIT);
    await page.locator(".pass").first().waitFor(WAIT);
    expect(loaded.every((url) => url.includes("/pay/"))).toBe(true);
    expect(troubles).toEqual([]);
    await context.close();
  });
});
