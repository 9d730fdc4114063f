import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gate, startGate } from "../../tools/gate/start-gate.ts";
import { findFreePort } from "../../tools/services/ports.ts";
import { createProcesses, type Processes } from "../../tools/services/processes.ts";
import { STATE_DIR } from "../../tools/services/root.ts";
import { type RunningRedis, startRedis } from "../support/redis.ts";
import { joinAs, type Stand, startStand, until } from "./stand.ts";

// The gate is started on a folder of its own and killed: what was acknowledged must be there when the
// next one starts on the same folder.

let redis: RunningRedis;
let stand: Stand;
let processes: Processes;
let port: number;
let gate: Gate;

const dir = join(STATE_DIR, `test-${process.pid}-crash`);

async function start(): Promise<Gate> {
  return await startGate({
    processes,
    port,
    dir: join(dir, "gate"),
    env: {
      CORE_ORIGIN: stand.core.origin,
      REDIS_URL: redis.url,
      GATE_KEYS: JSON.stringify(stand.gate.keys.gateKeys),
      ROOM_SECRET: stand.gate.keys.roomSecret,
      ISSUERS: stand.issuers,
    },
  });
}

beforeAll(async () => {
  redis = await startRedis({ args: ["--maxmemory-policy", "noeviction"] });
  stand = await startStand();
  processes = createProcesses(dir);
  port = await findFreePort();
  gate = await start();
});
afterAll(async () => {
  await processes.stopAll();
  await stand.stop();
  await redis.stop();
  rmSync(dir, { recursive: true, force: true });
});

test("workerd killed after a journalled 201 and before Redis is back: the places are in the line, in order", async () => {
  const at: Stand = stand.at(gate.origin);
  await at.room("crash");
  const inside = await joinAs(at, "crash");
  await inside.admit();
  await redis.kill();
  await until(async () => (await at.status("crash")).stale);
  const fans = [];
  for (let count = 0; count < 8; count += 1) fans.push(await joinAs(at, "crash"));
  expect(fans.every(({ joined }) => joined.place.number === undefined)).toBe(true);

  gate.program.kill("SIGKILL");
  await gate.program.exited;
  gate = await start();
  redis = await startRedis({ port: redis.port, args: ["--maxmemory-policy", "noeviction"] });
  await until(async () => !(await at.status("crash")).stale);
  const numbers: number[] = [];
  for (const fan of fans) {
    const number = await until(async () => {
      const { body } = await fan.turn();
      return "number" in body && body.number;
    }, 300);
    numbers.push(number);
  }
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(new Set(numbers).size).toBe(fans.length);
  expect(Math.min(...numbers)).toBeGreaterThan(1);
  const back = await inside.admit();
  expect(back.number).toBe(1);
});
