// The core's side: holds over HTTP with everything a request goes through, against the same SQL.
import { randomUUID } from "node:crypto";
import { coreAudience } from "../../shared/token/claims.ts";
import { importKeySet } from "../../shared/token/keys.ts";
import { signToken } from "../../shared/token/sign.ts";
import { openOrganizerSession } from "../demo/organizer.ts";
import type { Stack } from "../stack.ts";
import { blast, makeRequest } from "./blast.ts";
import { compare, type Measured } from "./measure.ts";
import { runPgbench } from "./pgbench.ts";

const SECTIONS = 60;
const ROWS = 40;
const ROW_SEATS = 25;
const FLOOR = 1_000_000;
const CLIENTS = 32;
const CROWD = 200;

export type Bench = {
  readonly stack: Stack;
  readonly dir: string;
  readonly turns: number;
  readonly seconds: number;
};

/** An empty hall; answers with the names of its seats. */
export async function putHall(bench: Bench, event: string): Promise<string[]> {
  const { stack } = bench;
  const organizer = await openOrganizerSession(stack, stack.organizerKey);
  const now = Date.now();
  await organizer.putEvent(event, {
    name: "A large hall",
    venue: "A hall",
    startsAt: new Date(now + 30 * 86_400_000).toISOString(),
    saleOpensAt: new Date(now - 60_000).toISOString(),
    timeZone: "Europe/Istanbul",
    currency: "TRY",
    holdMs: 600_000,
    perOrderMax: 8,
    perAccountMax: 8,
    zones: [
      { id: "stalls", name: "Stalls", price: 10_000, kind: "seated" },
      { id: "floor", name: "Floor", price: 5_000, kind: "standing", capacity: FLOOR },
    ],
    sections: Array.from({ length: SECTIONS }, (_, n) => ({
      id: `S${n}`,
      name: `Section ${n}`,
      rows: Array.from({ length: ROWS }, (_row, row) => ({
        id: String(row + 1),
        zone: "stalls",
        seats: ROW_SEATS,
      })),
    })),
  });
  return Array.from({ length: SECTIONS * ROWS * ROW_SEATS }, (_, n) => {
    const row = Math.floor(n / ROW_SEATS);
    return `S${Math.floor(row / ROWS)}-${1 + (row % ROWS)}-${1 + (n % ROW_SEATS)}`;
  });
}

const randomSeat = (): string =>
  `S${Math.floor(Math.random() * SECTIONS)}-${1 + Math.floor(Math.random() * ROWS)}-${1 + Math.floor(Math.random() * ROW_SEATS)}`;

/** Requests of so many different people, each admitted, each with an address of its own. */
async function makeHolds(
  bench: Bench,
  event: string,
  options: { readonly count: number; readonly body: () => object },
): Promise<Buffer[]> {
  const { stack } = bench;
  const keys = await importKeySet(stack.keys.gateKeys, ["place", "admission", "service"]);
  const iat = Math.floor(Date.now() / 1_000) - 1;
  return Promise.all(
    Array.from({ length: options.count }, async (_, n) => {
      const token = await signToken(keys, "admission", {
        iss: stack.edge,
        aud: coreAudience(event),
        sub: `plc_${randomUUID()}`,
        epoch: 1,
        gen: 0,
        jti: randomUUID(),
        iat,
        nbf: iat,
        exp: iat + 900,
      });
      return makeRequest({
        method: "POST",
        path: `/v1/events/${event}/holds`,
        headers: {
          authorization: `Bearer ${token}`,
          "x-forwarded-for": `198.18.${(n >> 8) & 255}.${n & 255}`,
        },
        body: options.body(),
      });
    }),
  );
}

const WHO = `jsonb_build_object('place', 'p' || :n, 'account', 'p' || :n, 'gen', 0,
  'iat', (extract(epoch from clock_timestamp()) * 1000)::bigint)`;
const PERSON = "\\set n random(1, 2000000000)\n";

/** As many requests as the fastest machine could use up in the time of one turn. */
const ENOUGH_PER_S = 9_000;

async function compareHolds(
  bench: Bench,
  options: {
    readonly name: string;
    readonly against: string;
    readonly atLeast: number;
    readonly clients: number;
    readonly body: () => object;
    readonly script: (event: string) => string;
  },
): Promise<Measured> {
  const { stack, turns, seconds } = bench;
  const port = Number(new URL(stack.core).port);
  let n = 0;
  // Each side of each turn begins with an empty hall.
  const freshHall = async (): Promise<string> => {
    n += 1;
    const event = `bench-${randomUUID().slice(0, 8)}-${n}`;
    await putHall(bench, event);
    return event;
  };
  return compare({
    ...options,
    unit: "/s",
    turns,
    ours: async () => {
      const event = await freshHall();
      const requests = await makeHolds(bench, event, {
        count: Math.ceil(ENOUGH_PER_S * seconds),
        body: options.body,
      });
      const ms = seconds * 1_000;
      const result = await blast({
        port,
        connections: options.clients,
        ms,
        next: () => requests.pop(),
      });
      const bad = [...result.answers].filter(([status]) => status >= 400 && status !== 409);
      if (bad.length > 0) console.log(`  ${options.name}: answers ${JSON.stringify(bad)}`);
      return result.perSecond;
    },
    other: async () => {
      const event = await freshHall();
      return runPgbench({
        databaseUrl: stack.services.databaseUrl,
        dir: bench.dir,
        script: options.script(event),
        clients: options.clients,
        seconds,
      });
    },
  });
}

export async function benchSale(bench: Bench): Promise<Measured[]> {
  const chosen = await compareHolds(bench, {
    name: "chosen-seat hold through HTTP, one core process, 32 clients",
    against: "pgbench, the same SQL",
    atLeast: 0.5,
    clients: CLIENTS,
    body: () => ({ seats: [randomSeat()] }),
    script: (event) =>
      `${PERSON}\\set s random(0, ${SECTIONS - 1})\n\\set r random(1, ${ROWS})\n\\set p random(1, ${ROW_SEATS})
select hold_seats('${event}', 'h' || :n, ${WHO}, array['S' || :s || '-' || :r || '-' || :p]);\n`,
  });
  const standing = await compareHolds(bench, {
    name: "standing places of one zone through HTTP, 200 clients",
    against: "pgbench, the bare conditional UPDATE",
    atLeast: 3,
    clients: CROWD,
    body: () => ({ zone: "floor", quantity: 1 }),
    script: (event) =>
      `update zones set held = held + 1 where event_id = '${event}' and zone_id = 'floor' and held + sold + 1 <= capacity;\n`,
  });
  const pairs = await compareHolds(bench, {
    name: "best pairs through HTTP, 32 clients",
    against: "pgbench, the row-lock function",
    atLeast: 0.5,
    clients: CLIENTS,
    body: () => ({ best: { quantity: 2 } }),
    script: (event) =>
      `${PERSON}select hold_best('${event}', 'h' || :n, ${WHO}, '{"quantity": 2}'::jsonb);\n`,
  });
  return [chosen, standing, pairs];
}
