import { randomBytes } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pauseBefore } from "../../tools/demo/keep-running.ts";
import { endOldRuns } from "../../tools/services/old-runs.ts";
import {
  createProcesses,
  endLeftovers,
  findOwner,
  waitUntilReady,
} from "../../tools/services/processes.ts";
import { STATE_DIR } from "../../tools/services/root.ts";

const SLEEP_FOR_EVER = ["-e", "setInterval(() => {}, 1000)"];
const DEAD_PID = 2 ** 22 + 1;
let dir = "";

beforeEach(() => {
  dir = join(STATE_DIR, `test-${process.pid}-${randomBytes(4).toString("hex")}`);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test("stopping ends every program that was started", async () => {
  const processes = createProcesses(dir);
  const one = processes.start({ name: "one", command: process.execPath, args: SLEEP_FOR_EVER });
  const two = processes.start({ name: "two", command: process.execPath, args: SLEEP_FOR_EVER });
  expect([isAlive(one.pid), isAlive(two.pid)]).toEqual([true, true]);
  await processes.stopAll();
  expect([isAlive(one.pid), isAlive(two.pid)]).toEqual([false, false]);
});

test("nothing more is started once stopping has begun", async () => {
  const processes = createProcesses(dir);
  await processes.stopAll();
  const spec = { name: "late", command: process.execPath, args: SLEEP_FOR_EVER };
  expect(() => processes.start(spec)).toThrow("being stopped");
});

test("whoever asked hears of a program that dies, and not of one that was stopped", async () => {
  const processes = createProcesses(dir);
  const spec = { name: "dies", command: process.execPath, args: SLEEP_FOR_EVER };
  const heard: string[] = [];
  processes.onEnd((ended, _program, how) => heard.push(`${ended.name} ${how}`));
  const dies = processes.start(spec);
  const stopped = processes.start({ ...spec, name: "stopped" });
  dies.kill("SIGKILL");
  await dies.exited;
  await stopped.stop();
  await processes.stopAll();
  expect(heard).toEqual(["dies SIGKILL"]);
});

test("a part that dies is started again a few times, then no more until a minute has passed", () => {
  expect(pauseBefore([1_000], 1_000)).toBe(1_000);
  expect(pauseBefore([1_000, 2_000], 2_000)).toBe(2_000);
  expect(pauseBefore([1_000, 2_000, 3_000, 4_000], 4_000)).toBeUndefined();
  expect(pauseBefore([1_000, 2_000, 3_000, 90_000], 90_000)).toBe(1_000);
});

test("a program that dies while starting is reported with the end of its log", async () => {
  const processes = createProcesses(dir);
  const args = ["-e", "console.error('no such port'); process.exit(3)"];
  const program = processes.start({ name: "broken", command: process.execPath, args });
  const waiting = waitUntilReady(program, async () => false);
  await expect(waiting).rejects.toThrow(/code 3[\s\S]*no such port/);
});

test("a killed run's programs are ended by the next run, and only those", async () => {
  const processes = createProcesses(dir);
  const spec = { name: "left", command: process.execPath, args: SLEEP_FOR_EVER };
  const left = processes.start(spec);
  const stranger = processes.start({ ...spec, name: "stranger" });
  const programs = [
    { name: "left", pid: left.pid, command: process.execPath, stopSignal: "SIGTERM" },
    { name: "other", pid: stranger.pid, command: "/another/program", stopSignal: "SIGTERM" },
  ];
  const file = join(dir, "processes.json");
  writeFileSync(file, JSON.stringify({ owner: DEAD_PID, programs }));
  expect(await endLeftovers(dir)).toEqual(["left"]);
  await left.exited;
  expect(isAlive(stranger.pid)).toBe(true);
  await processes.stopAll();
});

test("programs of a run that is still alive are left alone", async () => {
  const processes = createProcesses(dir);
  const owner = processes.start({
    name: "owner",
    command: process.execPath,
    args: SLEEP_FOR_EVER,
  });
  writeFileSync(
    join(dir, "processes.json"),
    JSON.stringify({
      owner: owner.pid,
      programs: [{ name: "part", pid: owner.pid, command: "node", stopSignal: "SIGTERM" }],
    }),
  );
  expect(findOwner(dir)).toBe(owner.pid);
  expect(await endLeftovers(dir)).toEqual([]);
  expect(isAlive(owner.pid)).toBe(true);
  await processes.stopAll();
});

test("folders of a run that goes on are not cleared away by another part of it", async () => {
  const own = createProcesses(dir);
  await endOldRuns();
  expect(existsSync(own.dir)).toBe(true);
  await own.stopAll();
});
