// `npm run bench:draw -- [people]`: writes a pool of that many (2,000,000), opens it the ordinary way on
// bare workerd with a private Redis, lets everybody who is called come to the door, and prints what was
// seen. Figures, not a test: exit code 0 when the draw took place and the front was let in.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { lineKey } from "../../edge/line/keys.ts";
import type { StatusDocument, TurnReply } from "../../shared/contract/queue.ts";
import type { Evidence } from "../../shared/draw/evidence.ts";
import { fromHex } from "../../shared/draw/hex.ts";
import { NO_BEACON } from "../../shared/draw/key.ts";
import { type Draw, drawOf } from "../../shared/draw/numbers.ts";
import { importKeySet, type KeySet } from "../../shared/token/keys.ts";
import { signToken } from "../../shared/token/sign.ts";
import { type Gate, startGate } from "../gate/start-gate.ts";
import { findFreePort } from "../services/ports.ts";
import { createProcesses } from "../services/processes.ts";
import { startRedis } from "../services/redis.ts";
import { STATE_DIR } from "../services/root.ts";
import { makeKeys } from "../stack/keys.ts";
import { startIssuer } from "./issuer.ts";
import { placeAt, writePool, writeRoom } from "./pool.ts";

const EVENT = "bench-draw";
const DOORS = 4;
const RATE_PER_MINUTE = 2_000;
const WATCH_MS = 20_000;
const ASK_PAUSE_MS = 250;
const CALLED_MAX = 1_500;
const ASKING_AT_ONCE = 40;
const FRONT = 5;
const CROWD_AFTER_MS = 1_000;

const count = Number(process.argv[2] ?? 2_000_000);
const processes = createProcesses(join(STATE_DIR, `bench-draw-${process.pid}`));
const say = (what: string, value: string): void => console.log(`${what.padEnd(52)} ${value}`);
const ms = (value: number): string => `${Math.round(value)} ms`;
const mb = (kb: number): string => `${Math.round(kb / 1_024)} MB`;

/** Of a process, from Linux; elsewhere nothing. */
function memoryOf(pid: number, field: "VmRSS" | "VmHWM"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

type Run = { gate: Gate; redis: Redis; keys: KeySet };

async function turnOf({ gate, keys }: Run, index: number): Promise<TurnReply | undefined> {
  const now = Math.floor(Date.now() / 1_000);
  const token = await signToken(keys, "place", {
    ...{ iss: gate.origin, aud: `room/${EVENT}`, sub: placeAt(index, DOORS), epoch: 1, gen: 1 },
    ...{ iat: now, exp: now + 3_600, idx: index, at: Date.now() - 60_000 },
  });
  const response = await fetch(`${gate.origin}/api/queue/${EVENT}/turn`, {
    method: "POST",
    headers: { authorization: `Place ${token}` },
  });
  return response.ok ? ((await response.json()) as TurnReply) : undefined;
}

async function statusOf({ gate }: Run): Promise<StatusDocument> {
  const response = await fetch(`${gate.origin}/api/queue/${EVENT}/status`);
  return (await response.json()) as StatusDocument;
}

const metaKey = lineKey({ prefix: "", event: EVENT }, 1, "META");

/** Asked for without a pause; the shared document shows the same, up to its second of caching later. */
async function drawnEvidence({ gate }: Run, until: number): Promise<Evidence | undefined> {
  while (Date.now() < until) {
    const response = await fetch(`${gate.origin}/api/queue/${EVENT}/draw`);
    const evidence = (await response.json()) as Evidence;
    if (evidence.state === "drawn") return evidence;
    await sleep(10);
  }
  return undefined;
}

/** Everybody who is called comes, and asks until let in; the times of their admissions, ms. */
async function bringFront(run: Run, more: { draw: Draw; until: number }): Promise<number[]> {
  const admittedAt: number[] = [];
  const waiting: number[] = [];
  let called = FRONT;
  // The very first have no crowd between two of their questions.
  const lead = async (_: unknown, at: number): Promise<void> => {
    while (Date.now() < more.until) {
      const reply = await turnOf(run, more.draw.indexOf(at + 1));
      if (reply?.state === "admitted") return void admittedAt.push(Date.now());
      await sleep(ASK_PAUSE_MS / 2);
    }
  };
  const follow = async (): Promise<void> => {
    // Pages learn of the opening within their first seconds, not all at once.
    await sleep(CROWD_AFTER_MS);
    while (Date.now() < more.until) {
      const calling = Number(await run.redis.hget(metaKey, "calling"));
      while (called < Math.min(calling, CALLED_MAX, more.draw.count)) waiting.push(++called);
      await sleep(50);
    }
  };
  const ask = async (): Promise<void> => {
    while (Date.now() < more.until) {
      const number = waiting.shift();
      if (number === undefined) {
        await sleep(20);
        continue;
      }
      const reply = await turnOf(run, more.draw.indexOf(number));
      if (reply?.state === "admitted") admittedAt.push(Date.now());
      else setTimeout(() => waiting.push(number), ASK_PAUSE_MS);
    }
  };
  await Promise.all([
    follow(),
    ...Array.from({ length: FRONT }, lead),
    ...Array.from({ length: ASKING_AT_ONCE }, ask),
  ]);
  return admittedAt.sort((a, b) => a - b);
}

/** How far the line was filled ahead of the calling, looked at all the while. */
async function watchCursor({ redis, gate }: Run, until: number) {
  const seen = { least: Number.POSITIVE_INFINITY, memoryKb: 0 };
  while (Date.now() < until) {
    const [filled, calling] = (await redis.hmget(metaKey, "filled", "calling")).map(Number);
    if (filled && calling) seen.least = Math.min(seen.least, filled - calling);
    seen.memoryKb = Math.max(seen.memoryKb, memoryOf(gate.pid, "VmRSS"));
    await sleep(20);
  }
  return seen;
}

async function openAndWatch(run: Run, authorization: string): Promise<boolean> {
  const before = memoryOf(run.gate.pid, "VmRSS");
  const used = /used_memory:(\d+)/.exec(await run.redis.info("memory"))?.[1];
  say("Redis, for each person in the pool", `${Math.round(Number(used) / count)} bytes`);
  const opensAt = Date.now() + 5_000;
  await fetch(`${run.gate.origin}/api/rooms/${EVENT}`, {
    method: "PATCH",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ opensAt: new Date(opensAt).toISOString() }),
  });
  await sleep(opensAt - Date.now());
  const evidence = await drawnEvidence(run, opensAt + 60_000);
  if (evidence?.seed === undefined) return false;
  say("opening → seed in the evidence", ms(Date.now() - opensAt));
  const began = performance.now();
  const input = { event: EVENT, epoch: 1, count: evidence.pool?.count ?? 0, beacon: NO_BEACON };
  const draw = drawOf({ ...input, seed: fromHex(evidence.seed) });
  draw.numberOf(count >> 1);
  say("a browser's own number, cold", `${(performance.now() - began).toFixed(2)} ms`);
  const until = Date.now() + WATCH_MS;
  const [admittedAt, cursor] = await Promise.all([
    bringFront(run, { draw, until }),
    watchCursor(run, until),
  ]);
  const [first] = admittedAt;
  if (first === undefined) return false;
  say("opening → first admission", ms(first - opensAt));
  const seconds = (until - opensAt) / 1_000;
  const rate = Math.round((admittedAt.length * 60) / seconds);
  say(
    `admitted in ${seconds.toFixed(1)} s`,
    `${admittedAt.length} (${rate}/min of ${RATE_PER_MINUTE})`,
  );
  say("filled ahead of the calling, at the least", `${cursor.least} numbers`);
  say(
    "gate's memory before the opening, and at most since",
    `${mb(before)}, ${mb(cursor.memoryKb)}`,
  );
  return true;
}

async function main(): Promise<boolean> {
  const dir = join(processes.dir, "gate");
  const made = await makeKeys(new Date());
  const issuer = await startIssuer(made.coreKeys);
  const server = await startRedis(processes, { name: "redis" });
  const port = await findFreePort();
  const start = (): Promise<Gate> =>
    startGate({
      processes,
      port,
      dir,
      env: {
        CORE_ORIGIN: issuer.origin,
        REDIS_URL: server.url,
        GATE_KEYS: JSON.stringify(made.gateKeys),
        ROOM_SECRET: made.roomSecret,
        ISSUERS: issuer.issuers,
      },
    });
  const redis = new Redis(server.url);
  try {
    const gate = await start();
    const authorization = `Bearer ${await issuer.organizer()}`;
    const put = await fetch(`${gate.origin}/api/rooms/${EVENT}`, {
      method: "PUT",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ opensAt: new Date(Date.now() + 3_600_000).toISOString(), early: "draw" },
        ...{ ratePerMinute: RATE_PER_MINUTE, activeMax: 5_000, binding: "none", doors: DOORS },
      }),
    });
    if (!put.ok) throw new Error(`the room: ${put.status} ${await put.text()}`);
    await gate.stop();
    console.log(`Writing a pool of ${count.toLocaleString("en")} and its tree …`);
    const spec = { event: EVENT, epoch: 1, count, doors: DOORS };
    await writePool(server.url, spec);
    writeRoom(join(dir, "objects"), spec);
    const keys = await importKeySet(made.gateKeys, ["place", "admission", "service"]);
    const run = { gate: await start(), redis, keys };
    while ((await statusOf(run)).pool.count !== count) await sleep(200);
    return await openAndWatch(run, authorization);
  } finally {
    redis.disconnect();
    await processes.stopAll();
    await issuer.stop();
    rmSync(processes.dir, { recursive: true, force: true });
  }
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
