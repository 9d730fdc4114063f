// A whole system with a half-sold house, and browsers that stand in its shop: for pictures of the shop
// and for measuring its plan. Everything it starts ends with it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { migrate } from "../../core/migrate.ts";
import type { EventPut } from "../../shared/contract/events.ts";
import type { AdmissionView } from "../../shared/contract/queue.ts";
import { buildPages } from "../build.ts";
import { openOrganizerSession } from "../demo/organizer.ts";
import { createProcesses } from "../services/processes.ts";
import { STATE_DIR } from "../services/root.ts";
import { startServices } from "../services.ts";
import { makeKeys } from "../stack/keys.ts";
import { type Stack, type StackOptions, startStack } from "../stack.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--enable-precise-memory-info"];
const ROWS = 20;
const PER_ROW = 25;
const TURN_MS = 200;
const TURNS_MAX = 100;
/** Seats in one gift. */
const GIFT = 40;
const BUSY_MS = 400;
const BUSY_MAX = 40;

export type Stand = { stack: Stack; stop: () => Promise<void> };

export async function openStand(
  options: Pick<StackOptions, "gateEnv" | "pspEnv"> = {},
): Promise<Stand> {
  const processes = createProcesses(join(STATE_DIR, `shop-${process.pid}`));
  await buildPages();
  const services = await startServices(processes, { throwAway: true });
  await migrate(services.databaseUrl);
  const stack = await startStack({
    processes,
    services,
    keys: await makeKeys(new Date()),
    coreEnv: { LOG_LEVEL: "error" },
    ...options,
  });
  return { stack, stop: () => processes.stopAll() };
}

export function launchChromium(): Promise<Browser> {
  const named = [process.env["CHROMIUM_PATH"], ...CHROMIUM];
  const executablePath = named.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) throw new Error("No Chromium here: set CHROMIUM_PATH.");
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

const name = (index: number): string =>
  index < 26
    ? String.fromCharCode(65 + index)
    : name(Math.floor(index / 26) - 1) + name(index % 26);

/** Blocks of 500, the nearer the dearer; the first has wheelchair places in its last row. */
function describeHouse(seats: number, changes: Partial<EventPut>): EventPut {
  const blocks = Math.ceil(seats / (ROWS * PER_ROW));
  const zones = ["stalls", "circle", "balcony"] as const;
  const zoneOf = (block: number) =>
    zones[Math.min(2, Math.floor((block / blocks) * 3))] ?? "stalls";
  return {
    name: "Sıra at the Harbour",
    venue: "Harbour Hall, Istanbul",
    startsAt: `${new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)}T17:00:00Z`,
    saleOpensAt: new Date(Date.now() - 60_000).toISOString(),
    timeZone: "Europe/Istanbul",
    currency: "TRY",
    holdMs: 600_000,
    perOrderMax: 8,
    perAccountMax: 8,
    fees: { perTicket: 9_500, perOrder: 2_500, taxBasisPoints: 0 },
    zones: [
      { id: "stalls", name: "Stalls", price: 240_000, kind: "seated" },
      { id: "circle", name: "Circle", price: 165_000, kind: "seated" },
      { id: "balcony", name: "Balcony", price: 90_000, kind: "seated" },
      { id: "floor", name: "Standing", price: 120_000, kind: "standing", capacity: 500 },
    ],
    sections: Array.from({ length: blocks }, (_, block) => ({
      id: name(block),
      name: `Block ${name(block)}`,
      rows: Array.from({ length: ROWS }, (_row, row) => ({
        id: String(row + 1),
        zone: zoneOf(block),
        seats: PER_ROW,
        ...(row === ROWS - 1 ? { accessible: [1, 3, 23, 25], companions: [2, 4, 22, 24] } : {}),
      })),
    })),
    addons: [
      { id: "parking", name: "Parking", price: 15_000, stock: 200 },
      { id: "shirt", name: "Tour shirt", price: 60_000, stock: 100, variants: ["M", "L"] },
    ],
    ...changes,
  };
}

/** An event on sale; `sold` of its seats are given away beforehand, scattered and in runs. */
export async function openHouse(
  { stack }: Stand,
  event: string,
  options: { seats: number; sold?: number; changes?: Partial<EventPut> },
): Promise<void> {
  const organizer = await openOrganizerSession(stack, stack.organizerKey);
  const house = describeHouse(options.seats, options.changes ?? {});
  await patiently(() => organizer.putEvent(event, house));
  await organizer.putRoom(event, {
    opensAt: new Date(Date.now() - 1_000).toISOString(),
    ratePerMinute: 60_000,
    activeMax: 10_000,
    early: "fifo",
    binding: "none",
  });
  const wanted = Math.round(options.seats * (options.sold ?? 0));
  if (wanted === 0) return;
  const { token } = await post<{ token: string }>(`${stack.core}/v1/organizer/sessions`, {
    key: stack.organizerKey,
  });
  const ids = house.sections.flatMap((section) =>
    section.rows.flatMap((row, r) =>
      Array.from({ length: PER_ROW }, (_, i) => ({
        id: `${section.id}-${row.id}-${i + 1}`,
        // Good rows go first, in runs: a pattern that looks like a real sale.
        rank: Math.sin(r * 3.1 + Math.floor(i / 3) * 1.7 + section.id.length) + r * 0.05,
      })),
    ),
  );
  const sold = ids.sort((one, other) => one.rank - other.rank).slice(0, wanted);
  for (let from = 0; from < sold.length; from += GIFT)
    await post(
      `${stack.core}/v1/organizer/events/${event}/complimentary`,
      {
        seats: sold.slice(from, from + GIFT).map(({ id }) => id),
        reason: "a house as it is on the evening",
        buyer: { email: "guests@example.org", name: "Guests" },
      },
      { authorization: `Bearer ${token}` },
    );
}

/** A core that has just taken in a large house may be busy for a moment. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries >= BUSY_MAX || !/answered 503|fetch failed/.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    }
  }
}

async function post<T>(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  const send = () =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }).catch(() => new Response("no answer", { status: 503 }));
  let response = await send();
  // A core that sheds load has done nothing.
  for (let tries = 0; response.status === 503 && tries < BUSY_MAX; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    response = await send();
  }
  const text = await response.text();
  // Given already by the call whose answer was lost.
  if (response.status === 409) return JSON.parse(text);
  if (!response.ok)
    throw new Error(`POST ${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** A fan without a key, called at once. */
export async function admitFan({ stack }: Stand, event: string): Promise<AdmissionView> {
  const base = `${stack.edge}/api/queue/${event}`;
  const { token } = await post<{ token: string }>(`${base}/places`, {});
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const answer = await post<{ state: string; admission?: AdmissionView }>(
      `${base}/turn`,
      {},
      { authorization: `Place ${token}` },
    );
    if (answer.admission) return answer.admission;
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  }
  throw new Error(`not admitted to ${event}`);
}

/** Leaves in the browser what the queue page would have left there, and opens the shop. */
export async function enterShop(
  stand: Stand,
  context: BrowserContext,
  event: string,
): Promise<Page> {
  const admission = await admitFan(stand, event);
  const page = await context.newPage();
  await page.goto(`${stand.stack.edge}/robots.txt`);
  await page.evaluate(
    ([key, value]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("sira", 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore("kv");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction("kv", "readwrite");
          transaction.objectStore("kv").put(value, key);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    [`admission:${event}`, admission] as const,
  );
  await page.goto(`${stand.stack.edge}/shop/${event}`);
  await page.locator(".tabs").waitFor();
  return page;
}
