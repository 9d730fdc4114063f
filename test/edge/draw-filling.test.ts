import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KeyName, lineKey } from "../../edge/line/keys.ts";
import type { TurnReply } from "../../shared/contract/queue.ts";
import { fromHex } from "../../shared/draw/hex.ts";
import { NO_BEACON } from "../../shared/draw/key.ts";
import { type Draw, drawOf } from "../../shared/draw/numbers.ts";
import { importKeySet, type KeySet } from "../../shared/token/keys.ts";
import { signToken } from "../../shared/token/sign.ts";
import { placeAt, writePool, writeRoom } from "../../tools/draw/pool.ts";
import { type Gate, startGate } from "../../tools/gate/start-gate.ts";
import { findFreePort } from "../../tools/services/ports.ts";
import { createProcesses, type Processes } from "../../tools/services/processes.ts";
import { STATE_DIR } from "../../tools/services/root.ts";
import { type Answer, request } from "../support/fan.ts";
import { claimRedis } from "../support/redis.ts";
import { type Stand, startStand, until } from "./stand.ts";

// A pool of 200,000 is written as it would be after so many joins; the opening itself is the ordinary one.

const EVENT = "filling";
const COUNT = 200_000;
const DOORS = 4;
const dir = join(STATE_DIR, `test-${process.pid}-filling`);

let stand: Stand;
let processes: Processes;
let keys: KeySet;
let redis: Redis;
let redisUrl: string;
let port: number;
let gate: Gate;

async function start(): Promise<void> {
  gate = await startGate({
    processes,
    port,
    dir: join(dir, "gate"),
    env: {
      CORE_ORIGIN: stand.core.origin,
      REDIS_URL: redisUrl,
      GATE_KEYS: JSON.stringify(stand.gate.keys.gateKeys),
      ROOM_SECRET: stand.gate.keys.roomSecret,
      ISSUERS: stand.issuers,
    },
  });
}

async function killGate(): Promise<void> {
  gate.program.kill("SIGKILL");
  await gate.program.exited;
}

beforeAll(async () => {
  stand = await startStand();
  keys = await importKeySet(stand.gate.keys.gateKeys, ["place", "admission", "service"]);
  redisUrl = (await claimRedis()).url;
  redis = new Redis(redisUrl);
  processes = createProcesses(dir);
  port = await findFreePort();
  await start();
});
afterAll(async () => {
  redis.disconnect();
  await processes.stopAll();
  await stand.stop();
  rmSync(dir, { recursive: true, force: true });
});

const key = (name: KeyName): string => lineKey({ prefix: "", event: EVENT }, 1, name);
const metaOf = async (field: string): Promise<number> =>
  Number(await redis.hget(key("META"), field));

async function ask<Body>(method: string, what: string, index: number): Promise<Answer<Body>> {
  const now = Math.floor(Date.now() / 1_000);
  const token = await signToken(keys, "place", {
    iss: gate.origin,
    aud: `room/${EVENT}`,
    sub: placeAt(index, DOORS),
    iat: now,
    exp: now + 3_600,
    epoch: 1,
    gen: 1,
    idx: index,
    at: Date.now() - 60_000,
  });
  return await request<Body>(method, `${gate.origin}/api/queue/${EVENT}/${what}`, {
    headers: { authorization: `Place ${token}` },
  });
}
const turn = (index: number) => ask<TurnReply & { code?: string }>("POST", "turn", index);

const admit = (index: number) =>
  until(async () => {
    const { body } = await turn(index);
    return body.state === "admitted" && body;
  }, 250);

/** Every index is in the line under its own number, in the pool behind the cursor, or is accounted for. */
async function audit(draw: Draw, elsewhere: readonly number[]): Promise<number> {
  const filled = await metaOf("filled");
  const scores = async (name: "LINE" | "POOL"): Promise<Map<string, number>> => {
    const flat = await redis.zrangebyscore(key(name), "-inf", "+inf", "WITHSCORES");
    return new Map(
      Array.from({ length: flat.length / 2 }, (_, at) => [
        flat[2 * at] ?? "",
        Number(flat[2 * at + 1]),
      ]),
    );
  };
  const [line, pool] = [await scores("LINE"), await scores("POOL")];
  const absent = new Set(elsewhere);
  let wrong = 0;
  for (let index = 0; index < draw.count; index += 1) {
    const place = placeAt(index, DOORS);
    const number = draw.numberOf(index);
    const inLine = line.get(place);
    const inPool = pool.get(place);
    const right = absent.has(index)
      ? inLine === undefined && inPool === undefined
      : number <= filled
        ? inLine === number && inPool === undefined
        : inLine === undefined && inPool === index;
    if (!right) wrong += 1;
  }
  expect(wrong).toBe(0);
  expect(line.size + pool.size + elsewhere.length).toBe(draw.count);
  return filled;
}

test("a killed gate goes on filling where it was, and nobody inside or gone comes back", async () => {
  const at = stand.at(gate.origin);
  await at.room(EVENT, {
    early: "draw",
    opensAt: new Date(Date.now() + 3_600_000).toISOString(),
    ratePerMinute: 6_000,
    activeMax: 5_000,
    binding: "none",
    doors: DOORS,
  });
  await gate.stop();
  const spec = { event: EVENT, epoch: 1, count: COUNT, doors: DOORS };
  await writePool(redisUrl, spec);
  writeRoom(join(dir, "gate", "objects"), spec);
  await start();
  const early = await until(async () => {
    const status = await at.status(EVENT);
    return status.pool.count === COUNT && status;
  });
  expect(early.phase).toBe("upcoming");
  // Somebody leaves before the draw; nobody must wait for the number.
  const left = 17;
  expect((await ask("DELETE", "place", left)).status).toBe(204);

  // Killed while the very first numbers go in.
  const open = at.call("POST", `/api/rooms/${EVENT}/actions`, { action: "open", reason: "now" });
  open.catch(() => undefined);
  await until(async () => (await metaOf("filled")) > 0, 1);
  await killGate();
  const cut = await metaOf("filled");
  await start();
  const opened = await until(async () => {
    const status = await at.status(EVENT);
    return status.phase === "open" && status.calling > 0 && status;
  });
  const draw = drawOf({
    seed: fromHex(opened.pool.seed ?? ""),
    beacon: NO_BEACON,
    event: EVENT,
    epoch: 1,
    count: COUNT,
  });
  await until(async () => (await metaOf("filled")) > cut);
  // The front comes, is let in, and two of them are through with it.
  const front = Array.from({ length: 12 }, (_, n) => draw.indexOf(n + 1)).filter((i) => i !== left);
  const admitted = await Promise.all(front.map(admit));
  const [gone = -1, alsoGone = -1] = front;
  for (const index of [gone, alsoGone])
    expect((await ask("DELETE", "place", index)).status).toBe(204);

  // Killed again, while the line is filled behind those who are called now.
  const before = await metaOf("filled");
  // A higher rate calls more people at once, and so wants more of the line.
  at.call("PATCH", `/api/rooms/${EVENT}`, { ratePerMinute: 9_500 }).catch(() => undefined);
  await until(async () => (await metaOf("filled")) > before, 1);
  await killGate();
  console.log(`Killed with ${cut} numbers filled in, and again with ${await metaOf("filled")}.`);
  await start();
  await until(async () => {
    const status = await at.status(EVENT);
    return !status.stale && status.phase === "open" && status.v > opened.v;
  });
  await sleep(2_000);
  await at.call("POST", `/api/rooms/${EVENT}/actions`, { action: "pause", reason: "to look" });
  await until(async () => (await redis.hget(key("META"), "phase")) === "paused");
  const still = await until(async () => {
    const filled = await metaOf("filled");
    await sleep(1_200);
    return filled === (await metaOf("filled")) && filled;
  });
  expect(await audit(draw, [left, ...front])).toBe(still);
  expect(still).toBeGreaterThan(await metaOf("calling"));
  for (const [n, index] of front.entries()) {
    const again = await turn(index);
    if (index === gone || index === alsoGone) expect(again.body.code).toBe("place_gone");
    else expect(again.body).toMatchObject({ state: "admitted", number: admitted[n]?.number });
  }
  expect((await turn(left)).body.code).toBe("place_gone");
});
