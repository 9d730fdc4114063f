// The gate's side, on bare workerd: joins and the shared document against a constant reply of the same
// server; what a waiting fan costs in Redis; what the draw costs a browser.
import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import { openLine } from "../../edge/line/line.ts";
import { readScriptTexts } from "../../edge/line/scripts-node.ts";
import { NO_BEACON } from "../../shared/draw/key.ts";
import { drawOf } from "../../shared/draw/numbers.ts";
import { makeSessionKey } from "../crowd/session-key.ts";
import { openOrganizerSession } from "../demo/organizer.ts";
import { startGate } from "../gate/start-gate.ts";
import type { Processes } from "../services/processes.ts";
import { blast, makeRequest } from "./blast.ts";
import { compare, type Measured, type Single } from "./measure.ts";
import type { Bench } from "./sale.ts";

const CONNECTIONS = 64;
const JOINS_PER_S_MAX = 6_000;
const EVENT = "bench-line";
const WAITING = 100_000;
const POOL = 2_000_000;
const BYTES_MAX = 200;
const OWN_NUMBER_MS_MAX = 10;
const OPENING_MS_MAX = 1_000;

export async function benchGate(
  bench: Bench,
  processes: Processes,
): Promise<{ measured: Measured[]; singles: Single[] }> {
  const { stack, turns, seconds } = bench;
  const organizer = await openOrganizerSession(stack, stack.organizerKey);
  await organizer.putRoom(EVENT, {
    opensAt: new Date(Date.now() - 1_000).toISOString(),
    ratePerMinute: 60,
    activeMax: 100,
    early: "fifo",
  });
  const constant = await startGate({
    processes,
    dir: `${processes.dir}/constant`,
    entry: "tools/bench/constant-worker.ts",
    env: { CORE_ORIGIN: stack.core },
    durableObjects: { NOBODY: "Nobody" },
  });
  const ms = seconds * 1_000;
  const path = `/api/queue/${EVENT}/status`;
  const status = makeRequest({ method: "GET", path });
  const ask = async (port: number, next: () => Buffer | undefined): Promise<number> =>
    (await blast({ port, connections: CONNECTIONS, ms, next })).perSecond;
  const gatePort = Number(new URL(stack.edge).port);
  const other = () => ask(constant.port, () => status);
  const line = new Redis(stack.services.redisUrl);
  const commands = async (): Promise<number> => {
    const stats = await line.info("commandstats");
    return [...stats.matchAll(/cmdstat_(?:evalsha|eval|fcall)[^:]*:calls=(\d+)/g)].reduce(
      (sum, [, calls]) => sum + Number(calls),
      0,
    );
  };
  let asked = 0;
  let scripts = 0;
  const shared = await compare({
    name: "status",
    unit: "/s",
    against: "a constant reply of bare workerd",
    atLeast: 0.8,
    turns,
    ours: async () => {
      const before = await commands();
      const perSecond = await ask(gatePort, () => status);
      scripts += (await commands()) - before;
      asked += perSecond * seconds;
      return perSecond;
    },
    other,
  });
  let serial = 0;
  const joins = await compare({
    name: "join, Redis behind",
    unit: "/s",
    against: "a constant reply of bare workerd",
    atLeast: 0.35,
    turns,
    ours: () => {
      const requests = Array.from({ length: JOINS_PER_S_MAX * seconds }, () => {
        serial += 1;
        return makeRequest({
          method: "POST",
          path: `/api/queue/${EVENT}/places`,
          headers: { "cf-connecting-ip": `198.18.${(serial >> 8) & 255}.${serial & 255}` },
          body: { key: makeSessionKey().publicJwk },
        });
      });
      return ask(gatePort, () => requests.pop());
    },
    other,
  });
  line.disconnect();
  await constant.stop();
  return {
    measured: [joins, shared],
    singles: [
      {
        name: `scripts run in Redis for each of ${Math.round(asked).toLocaleString("en")} statuses (the room's own ticks)`,
        value: scripts / Math.max(1, asked),
        unit: "a status",
        goal: "only ticks: ≤ 4 a second",
        met: scripts <= 4 * turns * (seconds + 1),
      },
      await memoryPerFan(stack.services.redisUrl),
      ...drawTimes(),
    ],
  };
}

async function memoryPerFan(url: string): Promise<Single> {
  const client = new Redis(url);
  const used = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(await client.info("memory"))?.[1] ?? 0);
  const line = openLine({ url, event: `memory-${Date.now()}`, scripts: readScriptTexts() });
  const fence = { epoch: 1, restore: 1 };
  const settings = {
    version: 1,
    phase: "open",
    hold: false,
    endInside: false,
    opensAt: null,
    ratePerMinute: 60,
    activeMax: 100,
    sessionMs: 600_000,
    claimMs: 60_000,
    early: "fifo",
    poolSize: null,
  } as const;
  const begun = await line.refillBegin(fence, {
    gen: 1,
    fresh: true,
    clock: 0,
    elapsedMs: 0,
    beat: 0,
    ack: 0,
    settings,
    reserved: { number: 2 * WAITING, index: 0 },
    calling: 0,
    admitted: 0,
    unclaimed: 0,
    freed: 0,
    roundTheLine: 0,
    highestRate: 60,
  });
  if (begun.state !== "ok") throw new Error(`refill answered ${begun.state}`);
  await line.refillEnd(fence, { gen: 1 });
  const before = await used();
  let numbered = 0;
  for (let from = 0; from < WAITING; from += 2_000) {
    const results = await Promise.all(
      Array.from({ length: 2_000 }, () =>
        line.join(fence, {
          place: `plc_00_${randomBytes(16).toString("base64url")}`,
          receipt: { kind: "none" },
        }),
      ),
    );
    numbered += results.filter(({ state }) => state === "numbered" || state === "late").length;
  }
  const value = ((await used()) - before) / Math.max(1, numbered);
  await line.unlinkEpoch(1);
  line.close();
  client.disconnect();
  const name = `memory per waiting fan in Redis (${numbered.toLocaleString("en")} waiting)`;
  return { name, value, unit: "bytes", goal: `≤ ${BYTES_MAX}`, met: value <= BYTES_MAX };
}

function drawTimes(): Single[] {
  const input = { beacon: NO_BEACON, event: "bench", epoch: 1, count: POOL };
  const own: number[] = [];
  for (let n = 0; n < 50; n += 1) {
    // A new draw each time: a browser computes one number with nothing remembered.
    const seed = randomBytes(32);
    const startedAt = performance.now();
    drawOf({ ...input, seed }).numberOf(Math.floor(Math.random() * POOL));
    own.push(performance.now() - startedAt);
  }
  const worst = Math.max(...own);
  const startedAt = performance.now();
  drawOf({ ...input, seed: randomBytes(32) }).indexesOf(1, 1_000);
  const opening = performance.now() - startedAt;
  return [
    {
      name: "own number in a pool of 2,000,000, the slowest of 50",
      value: worst,
      unit: "ms",
      goal: `< ${OWN_NUMBER_MS_MAX}`,
      met: worst < OWN_NUMBER_MS_MAX,
    },
    {
      name: "first 1,000 places of a pool of 2,000,000 (before the first admission)",
      value: opening,
      unit: "ms",
      goal: `< ${OPENING_MS_MAX}`,
      met: opening < OPENING_MS_MAX,
    },
  ];
}
