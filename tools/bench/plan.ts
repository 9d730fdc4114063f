// `npm run bench:plan`: the shop's plan with 60,000 seats in Chromium, slowed down four times as a phone
// is against a desk. Fingers pan and pinch over it while frames are counted, then tap on seats.
// Prints a table, and says of each figure whether it keeps its bound; exits 1 when one does not.
import { readFileSync } from "node:fs";
import type { Browser, CDPSession, Page } from "playwright-core";
import { enterShop, launchChromium, openHouse, openStand } from "../screenshots/shop-stand.ts";

const EVENT = "arena";
const SEATS = 60_000;
const SLOWDOWN = 4;
const PAN_MS = 5_000;
const FRAME_MS_MAX = 33;
const MEMORY_MB_MAX = 150;
const TAPS = 120;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };
const MB = 1024 * 1024;
/** Wheel notches from the whole house to each of these views. */
const VIEWS = [
  { name: "whole house", notches: 0 },
  { name: "blocks as pictures", notches: 9 },
  { name: "seats", notches: 5 },
  { name: "numbered seats", notches: 4 },
];

type Row = { what: string; value: string; bound: string; holds: boolean };

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

type Finger = { x: number; y: number };
/** Where the fingers are at a step, about the middle of a plan of this size. */
type Move = (step: number, width: number, height: number) => Finger[];

/** One finger that goes to and fro over the plan. */
const pan: Move = (step, width, height) => [
  { x: Math.sin(step / 26) * width * 0.42, y: Math.sin((step / 26) * 0.61) * height * 0.42 },
];
/** Two that draw apart and together again. */
const pinch: Move = (step, width) => {
  const half = width * (0.22 + 0.16 * Math.sin(step / 20));
  return [
    { x: -half, y: 0 },
    { x: half, y: 0 },
  ];
};

/** The page's own frames while fingers move over the plan. */
async function framesOf(page: Page, cdp: CDPSession, move: Move): Promise<number[]> {
  const box = await page.locator(".map canvas").boundingBox();
  if (!box) throw new Error("the plan has no box");
  await page.evaluate(() => {
    const frames: number[] = [];
    Reflect.set(window, "frameTimes", frames);
    const note = (at: number) => {
      frames.push(at);
      if (Reflect.get(window, "frameTimes") === frames) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", step: number) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints:
        type === "touchEnd"
          ? []
          : move(step, box.width, box.height).map(({ x, y }, id) => ({
              id,
              x: box.x + box.width / 2 + x,
              y: box.y + box.height / 2 + y,
            })),
    });
  await touch("touchStart", 0);
  const startedAt = performance.now();
  for (let step = 0; performance.now() - startedAt < PAN_MS; step += 1) {
    await touch("touchMove", step);
    await new Promise((resolve) => setTimeout(resolve, 12));
  }
  await touch("touchEnd", 0);
  const frames = await page.evaluate(() => {
    const frames: number[] = Reflect.get(window, "frameTimes");
    Reflect.set(window, "frameTimes", undefined);
    return frames.slice(1).map((at, i) => at - (frames[i] ?? at));
  });
  return frames.sort((one, other) => one - other);
}

function rowOf(what: string, frames: readonly number[]): Row {
  const median = quantile(frames, 0.5);
  return {
    what: `median frame while ${what} (${frames.length} frames, 95 %: ${quantile(frames, 0.95).toFixed(0)} ms)`,
    value: `${median.toFixed(1)} ms`,
    bound: `≤ ${FRAME_MS_MAX} ms`,
    holds: median <= FRAME_MS_MAX,
  };
}

/** What the page's own process holds, pictures of the plan included; Linux tells by process. */
async function memoryOf(browser: Browser, cdp: CDPSession): Promise<{ heap: number; all: number }> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0;
  const root = await browser.newBrowserCDPSession();
  const { processInfo } = await root.send("SystemInfo.getProcessInfo");
  await root.detach();
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => {
      const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
      return Number(/^Pss_Anon:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
    });
  return { heap: heap / MB, all: Math.max(0, ...sizes) / MB };
}

/** Taps over the plan; each that takes a seat must have lit the plan under the finger. */
async function tapSeats(page: Page): Promise<{ taken: number; wrong: number }> {
  const canvas = page.locator(".map canvas");
  const box = await canvas.boundingBox();
  if (!box) throw new Error("the plan has no box");
  let taken = 0;
  let wrong = 0;
  for (let tap = 0; tap < TAPS; tap += 1) {
    const x = 24 + ((tap * 61) % (box.width - 48));
    const y = 24 + ((tap * 97) % (box.height - 48));
    const before = await page.locator(".chosen li").count();
    await page.touchscreen.tap(box.x + x, box.y + y);
    await page.waitForTimeout(150);
    const after = await page.locator(".chosen li").count();
    if (after > before) {
      taken += 1;
      const isLit = await canvas.evaluate(
        (element, at) => {
          if (!(element instanceof HTMLCanvasElement)) return false;
          const ratio = element.width / element.clientWidth;
          const side = Math.round(16 * ratio);
          const data =
            element
              .getContext("2d")
              ?.getImageData(at.x * ratio - side / 2, at.y * ratio - side / 2, side, side).data ??
            [];
          for (let i = 0; i < data.length; i += 4)
            if (data[i] === 0xff && data[i + 1] === 0xb9 && data[i + 2] === 0x38) return true;
          return false;
        },
        { x, y },
      );
      if (!isLit) wrong += 1;
    }
    const clear = page.getByRole("button", { name: "Clear" });
    if (after >= 6) await clear.click();
  }
  return { taken, wrong };
}

function print(rows: readonly Row[]): void {
  const wide = (of: keyof Row) => Math.max(...rows.map((row) => String(row[of]).length));
  const [what, value, bound] = [wide("what"), wide("value"), wide("bound")];
  for (const row of rows)
    console.log(
      `  ${row.what.padEnd(what)}  ${row.value.padStart(value)}  ${row.bound.padEnd(bound)}  ${row.holds ? "holds" : "DOES NOT HOLD"}`,
    );
}

const stand = await openStand();
const browser = await launchChromium();
const rows: Row[] = [];
try {
  await openHouse(stand, EVENT, { seats: SEATS });
  const context = await browser.newContext(PHONE);
  const page = await enterShop(stand, context, EVENT);
  await page.waitForTimeout(1_500);
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  const canvas = page.locator(".map canvas");
  // In the lower half, where the blocks are.
  await canvas.hover({ position: { x: 180, y: 250 } });
  for (const { name, notches } of VIEWS) {
    for (let notch = 0; notch < notches; notch += 1) {
      await page.mouse.wheel(0, -100);
      await page.waitForTimeout(40);
    }
    await page.waitForTimeout(600);
    rows.push(rowOf(`panning, ${name}`, await framesOf(page, cdp, pan)));
  }
  await cdp.send("HeapProfiler.collectGarbage");
  const { heap, all } = await memoryOf(browser, cdp);
  const bound = `≤ ${MEMORY_MB_MAX} MB`;
  rows.push(
    { what: "script memory", value: `${heap.toFixed(0)} MB`, bound, holds: heap <= MEMORY_MB_MAX },
    {
      what: "memory of the page's process, pictures included",
      value: `${all.toFixed(0)} MB`,
      bound,
      holds: all <= MEMORY_MB_MAX,
    },
  );
  const { taken, wrong } = await tapSeats(page);
  rows.push({
    what: `taps that took a seat, not the one under the finger (of ${taken})`,
    value: String(wrong),
    bound: "= 0",
    holds: wrong === 0 && taken > 5,
  });
  rows.push(rowOf("pinching", await framesOf(page, cdp, pinch)));
} finally {
  await browser.close();
  await stand.stop();
}
console.log(
  `The plan of ${SEATS.toLocaleString("en")} seats, processor slowed down ${SLOWDOWN} times:`,
);
print(rows);
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
