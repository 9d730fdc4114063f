// A whole system with an event for registered people, tickets given away, and a camera that sees one
// of them: for pictures of the account and of the scanner. Everything it starts ends with it.
import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import QRCode from "qrcode";
import { migrate } from "../../core/migrate.ts";
import { buildPages } from "../build.ts";
import { openOrganizerSession } from "../demo/organizer.ts";
import { createProcesses } from "../services/processes.ts";
import { STATE_DIR } from "../services/root.ts";
import { startServices } from "../services.ts";
import { makeKeys } from "../stack/keys.ts";
import { type Stack, startStack } from "../stack.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const EVENT = "harbour";
const PAUSE_MS = 200;
const TRIES_MAX = 100;

export type People = {
  stack: Stack;
  event: string;
  film: string;
  /** The newest sign-in code in the mailbox. */
  codeOf(email: string): Promise<string>;
  giveTickets(count: number): Promise<string[]>;
  scannerKey(): Promise<string>;
  admitElsewhere(code: string): Promise<void>;
  /** An order of the account whose session the cookie is. */
  buy(email: string, cookie: string): Promise<void>;
  stop(): Promise<void>;
};

type Json = Record<string, unknown>;

async function call<T = Json>(
  method: string,
  url: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json", ...options.headers },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text === "" ? "{}" : text);
}

async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error("it did not come in time");
}

async function openEvent(stack: Stack, event: string, name: string): Promise<void> {
  const organizer = await openOrganizerSession(stack, stack.organizerKey);
  await organizer.putEvent(event, {
    name,
    venue: "Harbour Hall, Istanbul",
    startsAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    saleOpensAt: new Date(Date.now() - 60_000).toISOString(),
    timeZone: "Europe/Istanbul",
    currency: "TRY",
    holdMs: 600_000,
    perOrderMax: 8,
    perAccountMax: 8,
    zones: [{ id: "stalls", name: "Stalls", price: 240_000, kind: "seated" }],
    sections: [
      {
        id: "A",
        name: "Block A",
        rows: ["1", "2", "3", "4"].map((id) => ({ id, zone: "stalls", seats: 25 })),
      },
    ],
  });
  await organizer.putRoom(event, {
    opensAt: new Date(Date.now() - 1_000).toISOString(),
    ratePerMinute: 60_000,
    activeMax: 10_000,
    early: "fifo",
    binding: "none",
    entry: "pass",
  });
}

/** Signs in as anybody's page would: the code comes by mail. */
async function signIn(stack: Stack, email: string): Promise<string> {
  const headers = { origin: stack.edge };
  await call("POST", `${stack.core}/v1/accounts`, { body: { email }, headers });
  const code = await newestCode(stack, email);
  const response = await fetch(`${stack.core}/v1/accounts/verify`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ email, code }),
  });
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

function newestCode(stack: Stack, email: string): Promise<string> {
  return until(async () => {
    const { mails } = await call<{ mails: { to: string[]; text: string }[] }>(
      "GET",
      `${stack.mailbox}/mails.json`,
    );
    const mail = mails.findLast(({ to, text }) => to.includes(email) && /\d{4} \d{4}/.test(text));
    return /(\d{4} \d{4})/.exec(mail?.text ?? "")?.[1];
  });
}

/** In by the pass, two of the best, paid; the tickets' codes come back. */
async function buySeats(
  stack: Stack,
  buyer: { email: string; cookie: string; quantity: number },
): Promise<string[]> {
  const { email, cookie, quantity } = buyer;
  const headers = { origin: stack.edge, cookie };
  const sale = `${stack.core}/v1/events/${EVENT}`;
  const { pass } = await call<{ pass: string }>("POST", `${sale}/registrations`, { headers });
  const line = `${stack.edge}/api/queue/${EVENT}`;
  const { token } = await call<{ token: string }>("POST", `${line}/places`, { body: { pass } });
  const admission = await until(async () => {
    const turn = await call<{ admission?: { token: string } }>("POST", `${line}/turn`, {
      body: {},
      headers: { authorization: `Place ${token}` },
    });
    return turn.admission?.token;
  });
  const admitted = { authorization: `Bearer ${admission}` };
  const hold = await call<{ id: string }>("POST", `${sale}/holds`, {
    body: { best: { quantity } },
    headers: admitted,
  });
  const order = await call<{ id: string; orderToken: string }>("POST", `${stack.core}/v1/orders`, {
    body: { holdId: hold.id, buyer: { email, name: "Deniz Aydın" } },
    headers: admitted,
  });
  const owner = { authorization: `Order ${order.orderToken}` };
  await call("POST", `${stack.core}/v1/orders/${order.id}/attempts`, {
    body: { method: "pm_ok", origin: "press" },
    headers: { ...owner, "idempotency-key": randomUUID() },
  });
  const { tickets } = await call<{ tickets: { code: string }[] }>(
    "GET",
    `${stack.core}/v1/orders/${order.id}/tickets`,
    { headers: owner },
  );
  return tickets.map(({ code }) => code);
}

export async function openPeople(): Promise<People> {
  const processes = createProcesses(join(STATE_DIR, `people-${process.pid}`));
  await buildPages();
  const services = await startServices(processes, { throwAway: true });
  await migrate(services.databaseUrl);
  const stack = await startStack({
    processes,
    services,
    keys: await makeKeys(new Date()),
    coreEnv: { LOG_LEVEL: "error" },
  });
  await openEvent(stack, EVENT, "Sıra at the Harbour");
  await openEvent(stack, "winter", "A winter evening of string quartets");
  const { token } = await call<{ token: string }>("POST", `${stack.core}/v1/organizer/sessions`, {
    body: { key: stack.organizerKey },
  });
  const owner = { authorization: `Bearer ${token}` };
  return {
    stack,
    event: EVENT,
    film: join(processes.dir, "ticket.y4m"),
    codeOf: (email) => newestCode(stack, email),
    async giveTickets(quantity) {
      const email = `${randomUUID().slice(0, 8)}@example.org`;
      return buySeats(stack, { email, cookie: await signIn(stack, email), quantity });
    },
    async scannerKey() {
      const body = { name: "a door", role: "scanner", events: [EVENT] };
      const made = await call<{ key: string }>("POST", `${stack.core}/v1/organizer/keys`, {
        body,
        headers: owner,
      });
      return made.key;
    },
    async admitElsewhere(code) {
      await call("POST", `${stack.core}/v1/organizer/events/${EVENT}/checkins`, {
        body: { gate: "South", scans: [{ id: randomUUID(), code }] },
        headers: owner,
      });
    },
    async buy(email, cookie) {
      await buySeats(stack, { email, cookie, quantity: 2 });
    },
    stop: () => processes.stopAll(),
  };
}

const WIDTH = 640;
const HEIGHT = 480;
const MODULE_PX = 6;

/** What the camera sees: one ticket, held still, as YUV4MPEG2. */
export function filmCode(path: string, code: string): void {
  const { size, data } = QRCode.create(code, { errorCorrectionLevel: "M" }).modules;
  const luma = Buffer.alloc(WIDTH * HEIGHT, 235);
  const left = Math.floor((WIDTH - size * MODULE_PX) / 2);
  const top = Math.floor((HEIGHT - size * MODULE_PX) / 2);
  for (let y = 0; y < size * MODULE_PX; y += 1)
    for (let x = 0; x < size * MODULE_PX; x += 1) {
      const module = Math.floor(y / MODULE_PX) * size + Math.floor(x / MODULE_PX);
      if (data[module]) luma[(top + y) * WIDTH + left + x] = 16;
    }
  const frame = Buffer.concat([
    Buffer.from("FRAME\n"),
    luma,
    Buffer.alloc((WIDTH * HEIGHT) / 2, 128),
  ]);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(path, Buffer.concat([head, frame, frame]));
}

export function launchWithFilm(film: string): Promise<Browser> {
  const named = [process.env["CHROMIUM_PATH"], ...CHROMIUM];
  const executablePath = named.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) throw new Error("No Chromium here: set CHROMIUM_PATH.");
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    `--use-file-for-fake-video-capture=${film}`,
  ];
  return chromium.launch({ executablePath, headless: true, args });
}
