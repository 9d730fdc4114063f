// A whole system with a sale that runs: a house half sold, a crowd in the line, orders of every kind. For
// pictures of the console. Everything it starts ends with it.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { migrate } from "../../core/migrate.ts";
import type { EventPut } from "../../shared/contract/events.ts";
import type { HoldView } from "../../shared/contract/holds.ts";
import type { AdmissionView, JoinReply, TurnReply } from "../../shared/contract/queue.ts";
import { buildPages } from "../build.ts";
import { runCrowd } from "../crowd/run-crowd.ts";
import { makeProof, makeSessionKey, type SessionKey } from "../crowd/session-key.ts";
import { Tally } from "../crowd/tally.ts";
import { openOrganizerSession } from "../demo/organizer.ts";
import { createProcesses } from "../services/processes.ts";
import { STATE_DIR } from "../services/root.ts";
import { startServices } from "../services.ts";
import { makeKeys } from "../stack/keys.ts";
import { type Stack, startStack } from "../stack.ts";

export const EVENT = "harbour";
/** Another one, whose sale is still to come. */
export const SOON = "lighthouse";

const BUYERS = [
  "Deniz Kaya",
  "Ayşe Işık",
  "Jonas Weber",
  "Claire Dubois",
  "Lucía Gómez",
  "Omar Haddad",
  "Anna Petrova",
  "Elif Demir",
] as const;
const ORDERS = 36;
const TURNS_MAX = 200;
const PAUSE_MS = 250;

export type Sale = { stack: Stack; stop(): Promise<void> };

type Answer<Body> = { status: number; body: Body };

async function send<Body>(
  method: string,
  url: string,
  more: { body?: object; headers?: Record<string, string> } = {},
): Promise<Answer<Body>> {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/json", ...more.headers },
    ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text === "" ? "{}" : text) };
}

const house = (name: string, opensAt: number): EventPut => {
  const rows = (count: number, seats: number, zone: (row: number) => string) =>
    Array.from({ length: count }, (_, row) => ({
      id: String(row + 1),
      zone: zone(row),
      seats: seats + (row % 3),
      ...(row === count - 1 ? { accessible: [1, 2], companions: [3] } : {}),
    }));
  return {
    name,
    venue: "Harbour Hall, Istanbul",
    startsAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    saleOpensAt: new Date(opensAt).toISOString(),
    timeZone: "Europe/Istanbul",
    currency: "TRY",
    holdMs: 600_000,
    perOrderMax: 8,
    perAccountMax: 8,
    zones: [
      { id: "front", name: "Front", price: 240_000, kind: "seated" },
      { id: "stalls", name: "Stalls", price: 140_000, kind: "seated" },
      { id: "balcony", name: "Balcony", price: 75_000, kind: "seated" },
      { id: "floor", name: "Standing", price: 60_000, kind: "standing", capacity: 400 },
    ],
    sections: [
      { id: "A", name: "Left", rows: rows(14, 16, (row) => (row < 4 ? "front" : "stalls")) },
      { id: "B", name: "Middle", rows: rows(14, 22, (row) => (row < 5 ? "front" : "stalls")) },
      { id: "C", name: "Right", rows: rows(14, 16, (row) => (row < 4 ? "front" : "stalls")) },
      { id: "D", name: "Balcony", rows: rows(8, 44, () => "balcony") },
    ],
  };
};

async function admit(stack: Stack, key: SessionKey): Promise<AdmissionView> {
  const base = `${stack.edge}/api/queue/${EVENT}`;
  const joined = await send<JoinReply>("POST", `${base}/places`, { body: { key: key.publicJwk } });
  const { token } = joined.body;
  const url = `${base}/turn`;
  for (let turns = 0; turns < TURNS_MAX; turns += 1) {
    const proof = makeProof(key, { method: "POST", url, token });
    const turn = await send<TurnReply>("POST", url, {
      body: {},
      headers: { authorization: `Place ${token}`, dpop: proof },
    });
    if (turn.body.state === "admitted") return turn.body.admission;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error("nobody was let in");
}

/** Every fifth only holds, every seventh's card is refused. */
async function buy(stack: Stack, serial: number): Promise<void> {
  const key = makeSessionKey();
  const admission = await admit(stack, key);
  const call = <Body>(path: string, body: object): Promise<Answer<Body>> => {
    const url = `${stack.core}${path}`;
    const proof = makeProof(key, { method: "POST", url, token: admission.token });
    const headers = { authorization: `${admission.type} ${admission.token}`, dpop: proof };
    return send<Body>("POST", url, { body, headers });
  };
  const zone = ["front", "stalls", "balcony"][serial % 3] ?? "front";
  const wish =
    serial % 6 === 5
      ? { zone: "floor", quantity: 2 + (serial % 5) }
      : { best: { quantity: 2 + (serial % 6), zone } };
  const hold = await call<HoldView>(`/v1/events/${EVENT}/holds`, wish);
  if (hold.status !== 201 || serial % 5 === 4) return;
  const name = BUYERS[serial % BUYERS.length] ?? "";
  const order = await call<{ id: string; orderToken: string }>("/v1/orders", {
    holdId: hold.body.id,
    buyer: { email: `buyer${serial}@example.org`, name },
  });
  await send("POST", `${stack.core}/v1/orders/${order.body.id}/attempts`, {
    body: { method: serial % 7 === 6 ? "pm_declined" : "pm_ok" },
    headers: {
      authorization: `Order ${order.body.orderToken}`,
      "idempotency-key": randomUUID(),
    },
  });
}

export async function openSale(): Promise<Sale> {
  const processes = createProcesses(join(STATE_DIR, `console-${process.pid}`));
  await buildPages();
  const services = await startServices(processes, { throwAway: true });
  await migrate(services.databaseUrl);
  const keys = await makeKeys(new Date());
  const stack = await startStack({ processes, services, keys });
  const organizer = await openOrganizerSession(stack, stack.organizerKey);
  const now = Date.now();
  await organizer.putEvent(EVENT, house("A Night at the Harbour", now - 60_000));
  await organizer.putRoom(EVENT, {
    opensAt: new Date(now - 1_000).toISOString(),
    ratePerMinute: 900,
    activeMax: 400,
    early: "fifo",
    publishFairness: true,
    branding: { name: "A Night at the Harbour", venue: "Harbour Hall, Istanbul" },
  });
  const opensAt = now + 3_600_000;
  await organizer.putEvent(SOON, house("The Lighthouse Concert", opensAt));
  await organizer.putRoom(SOON, {
    opensAt: new Date(opensAt).toISOString(),
    ratePerMinute: 600,
    activeMax: 400,
    early: "draw",
    schedule: [
      { at: new Date(opensAt + 1_800_000).toISOString(), ratePerMinute: 300 },
      { at: new Date(opensAt + 3_600_000).toISOString(), notice: "A second night is on sale." },
    ],
    branding: { name: "The Lighthouse Concert", accent: "#3557b0" },
  });
  const crowd = new AbortController();
  const running = runCrowd({
    edge: stack.edge,
    event: EVENT,
    fans: 1_200,
    ratePerSecond: 22,
    shopMs: { min: 10_000, max: 40_000 },
    absentShare: 0.15,
    signal: crowd.signal,
    tally: new Tally(),
  }).catch(() => undefined);
  await Promise.allSettled(Array.from({ length: ORDERS }, (_, serial) => buy(stack, serial)));
  return {
    stack,
    async stop() {
      crowd.abort();
      await running;
      await processes.stopAll();
    },
  };
}
