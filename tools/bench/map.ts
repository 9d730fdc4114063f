// The seat map of a stadium: 60,000 seats in eight price zones, half of them sold at random; how large
// it is on the wire, and what it costs while it is kept, at the core and through the gate's cache.
import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { openOrganizerSession } from "../demo/organizer.ts";
import { blast, makeRequest } from "./blast.ts";
import { compare, type Measured, type Single } from "./measure.ts";
import type { Bench } from "./sale.ts";

const SECTIONS = 30;
const ROWS = 80;
const ROW_SEATS = 25;
const ZONES = 8;
const CONNECTIONS = 8;
const BYTES_MAX = 300_000;
const KEPT_MS_MAX = 50;
const LOOKS = 200;

async function putStadium(bench: Bench, event: string): Promise<void> {
  const { stack } = bench;
  const organizer = await openOrganizerSession(stack, stack.organizerKey);
  const now = Date.now();
  const zones = Array.from({ length: ZONES }, (_, n) => ({
    id: `z${n}`,
    name: `Price ${n}`,
    price: 1_000 * (n + 1),
    kind: "seated" as const,
  }));
  await organizer.putEvent(event, {
    name: "A stadium",
    venue: "A stadium",
    startsAt: new Date(now + 30 * 86_400_000).toISOString(),
    saleOpensAt: new Date(now - 60_000).toISOString(),
    timeZone: "Europe/Istanbul",
    currency: "TRY",
    holdMs: 600_000,
    perOrderMax: 8,
    perAccountMax: 8,
    zones,
    sections: Array.from({ length: SECTIONS }, (_, n) => ({
      id: `S${n + 1}`,
      name: `Section ${n + 1}`,
      rows: Array.from({ length: ROWS }, (_row, row) => ({
        id: String(row + 1),
        zone: `z${(n + row) % ZONES}`,
        seats: ROW_SEATS,
      })),
    })),
  });
  // What is read is the rows' maps; the seats themselves play no part in it.
  const sql = postgres(stack.services.databaseUrl, { max: 1 });
  await sql`update rows r set map = m.map, version = nextval('inventory_version')
    from (select section_id, row_id,
        string_agg(case when random() < 0.5 then 's' else 'f' end, '') as map
      from rows cross join generate_series(1, ${ROW_SEATS}) where event_id = ${event}
      group by section_id, row_id) m
    where r.event_id = ${event} and r.section_id = m.section_id and r.row_id = m.row_id`;
  await sql.end();
}

/** One after another: the server's own time and the wire's, without a queue. */
async function lookAt(url: string): Promise<{ bytes: number; ms: number }> {
  const times: number[] = [];
  let bytes = 0;
  for (let n = 0; n < LOOKS; n += 1) {
    const startedAt = performance.now();
    const reply = await fetch(url, { headers: { "accept-encoding": "br" } });
    bytes = Number(reply.headers.get("content-length") ?? Number.NaN);
    await reply.arrayBuffer();
    times.push(performance.now() - startedAt);
  }
  return { bytes, ms: times.sort((a, b) => a - b)[Math.floor(LOOKS / 2)] ?? Number.NaN };
}

export async function benchMap(bench: Bench): Promise<{ measured: Measured[]; singles: Single[] }> {
  const { stack, turns, seconds } = bench;
  const event = `stadium-${randomUUID().slice(0, 8)}`;
  await putStadium(bench, event);
  const path = `/v1/events/${event}/seats`;
  const ask = async (origin: string, wanted: string): Promise<number> => {
    const request = makeRequest({
      method: "GET",
      path: wanted,
      headers: { "accept-encoding": "br" },
    });
    const { perSecond } = await blast({
      port: Number(new URL(origin).port),
      connections: CONNECTIONS,
      ms: seconds * 1_000,
      next: () => request,
    });
    return perSecond;
  };
  const core = await compare({
    name: "seat map of 60,000 from the core, kept and compressed",
    unit: "/s",
    against: "the same core's answer of one short event",
    atLeast: 0.3,
    turns,
    ours: () => ask(stack.core, path),
    other: () => ask(stack.core, `/v1/events/${event}`),
  });
  const gate = await compare({
    name: "seat map of 60,000 through the gate's cache",
    unit: "/s",
    against: "the same from the core",
    atLeast: 0.3,
    turns,
    ours: () => ask(stack.edge, path),
    other: () => ask(stack.core, path),
  });
  const atCore = await lookAt(stack.core + path);
  const atGate = await lookAt(stack.edge + path);
  const time = (name: string, value: number): Single => ({
    name,
    value,
    unit: "ms",
    goal: `< ${KEPT_MS_MAX}`,
    met: value < KEPT_MS_MAX,
  });
  return {
    measured: [core, gate],
    singles: [
      {
        name: "seat map of 60,000, half sold at random, eight prices, compressed",
        value: atCore.bytes,
        unit: "bytes",
        goal: `< ${BYTES_MAX}`,
        met: atCore.bytes < BYTES_MAX,
      },
      time("that map from the core, median of 200", atCore.ms),
      time("that map through the gate, median of 200", atGate.ms),
    ],
  };
}
