// One simulated sale: a room is made, people come before and after its opening, everything fails now and
// then; at the end it is quiet and whoever stayed must have been served.
import "./platform.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptTexts } from "../../edge/line/types.ts";
import { roomSettingsSchema } from "../../shared/contract/rooms.ts";
import { generateKey } from "../../shared/token/keys.ts";
import { Fan } from "./fans.ts";
import type { FaultName } from "./faults.ts";
import type { Servers } from "./servers.ts";
import type { Time } from "./time.ts";
import { Weather } from "./weather.ts";
import { type Classes, enter, World } from "./world.ts";

const OPENS_IN_MS = 40_000;
const DOORS = 3;
/** With the one the cap binds, with the other the rate. */
const LIMITS = { cap: { rate: 120, active: 30 }, rate: { rate: 40, active: 100 } };
const QUIET_MS_MAX = 2_400_000;
const ARRIVAL_MS = 900;
const WHOLE = readFileSync(join(import.meta.dirname, "whole.lua"), "utf8");

export type Ground = {
  readonly time: Time;
  readonly servers: Servers;
  readonly classes: Classes;
  readonly variables: Readonly<Record<string, string>>;
};

export type SaleResult = {
  readonly steps: number;
  readonly checks: number;
  readonly admissions: number;
  readonly served: number;
  readonly simulatedMs: number;
  readonly broken: readonly string[];
  readonly faults: ReadonlyMap<FaultName, number>;
};

export async function makeVariables(): Promise<Readonly<Record<string, string>>> {
  const uses = ["place", "admission", "service"] as const;
  const keys = await Promise.all(uses.map((use) => generateKey(use, "active", new Date(0))));
  return {
    EDGE_ORIGIN: "http://127.0.0.1:1",
    CORE_ORIGIN: "http://127.0.0.1:2",
    REDIS_URL: "redis://simulated:1",
    GATE_KEYS: JSON.stringify(keys),
    ROOM_SECRET: "5a".repeat(32),
    ISSUERS: "[]",
  };
}

export async function loadClasses(): Promise<Classes> {
  // By name at run time: Node can load them only with the hooks of `platform.ts`.
  const [room, door] = ["../../edge/room/room.ts", "../../edge/door/door.ts"];
  const { Room } = (await import(room ?? "")) as Pick<Classes, "Room">;
  const { Door } = (await import(door ?? "")) as Pick<Classes, "Door">;
  return { Room, Door };
}

export async function simulateSale(
  ground: Ground,
  options: {
    readonly seed: number;
    readonly steps: number;
    readonly early: "draw" | "fifo";
    /** The whole state in Redis is looked at after every so many steps. */
    readonly lookEvery: number;
    /** Goes on until everybody who stayed has been served. */
    readonly quiet: boolean;
    readonly scripts?: ScriptTexts;
  },
): Promise<SaleResult> {
  const { time, servers } = ground;
  const event = `sim-${options.seed}`;
  await servers.begin();
  time.begin(options.seed);
  const world = new World({ ...ground, ...options, event });
  enter(world);
  const beganAt = time.now;
  const limits = options.seed % 2 === 0 ? LIMITS.cap : LIMITS.rate;
  const settings = roomSettingsSchema.parse({
    opensAt: new Date(beganAt + OPENS_IN_MS).toISOString(),
    ratePerMinute: limits.rate,
    activeMax: limits.active,
    sessionMs: 60_000,
    claimMs: 30_000,
    early: options.early,
    doors: DOORS,
    binding: "none",
  });
  world.faults.over = true;
  let made = false;
  const act = { actor: "simulation", requestId: "req_simulation" };
  world
    .letter({ kind: "Room", name: event, method: "put", args: [{ event, settings }, act] })
    .then(() => {
      made = true;
    });
  await runWhile(world, options.lookEvery, () => !made);
  world.faults.over = false;
  const fans: Fan[] = [];
  const weather = new Weather(world);
  weather.start();
  arrive(world, fans, () => world.steps < options.steps);
  await runWhile(world, options.lookEvery, () => world.steps < options.steps);
  quiet(world);
  const quietAt = time.now;
  const waits = () => options.quiet && fans.some((fan) => fan.waits);
  await runWhile(world, options.lookEvery, () => waits() && time.now - quietAt < QUIET_MS_MAX);
  const left = fans.filter((fan) => fan.waits);
  world.truth.expect(
    !options.quiet || left.length === 0 || world.truth.broken.length > 0,
    () => `${left.length} who stayed were not served in 40 quiet minutes: ${left[0]?.place}`,
  );
  const { broken, checks, admissions } = world.truth;
  const served = fans.filter(({ done, temper }) => done && temper === "stays").length;
  const { steps } = world;
  world.close();
  const simulatedMs = time.now - beganAt;
  return { steps, checks, admissions, served, simulatedMs, broken, faults: world.faults.counts };
}

function quiet(world: World): void {
  const { servers } = world;
  world.faults.over = true;
  world.leftBehind.clear();
  servers.master.reachable = true;
  const { event } = world;
  const act = { actor: "simulation", requestId: "req_simulation", reason: "simulation" };
  const resume = { action: "resume", reason: "simulation" };
  world
    .letter({ kind: "Room", name: event, method: "act", args: [resume, act] })
    .catch(() => undefined);
}

/** Half come before the opening. Whoever comes twice as two people is two places, as with two phones. */
function arrive(world: World, fans: Fan[], more: () => boolean): void {
  const { dice, time, event } = world;
  if (!more()) return;
  const door = dice.between(0, DOORS);
  const id = `${event}-${fans.length}`.padEnd(22, "_").slice(0, 22);
  const temper = dice.pick([
    "stays",
    "stays",
    "stays",
    "hidden",
    "vanishes",
    "vanishes",
    "leaves",
  ] as const);
  const fan = new Fan(world, `plc_0${door}_${id}`, temper);
  fans.push(fan);
  fan.start();
  // Now and then a crowd.
  const next = dice.hits(0.05) ? 5_000 : dice.between(1, ARRIVAL_MS);
  time.after(next, () => arrive(world, fans, more));
}

async function runWhile(world: World, lookEvery: number, goesOn: () => boolean): Promise<void> {
  let lookedAt = 0;
  while (goesOn() && world.truth.broken.length === 0) {
    if (!(await world.time.step())) throw new Error("nothing happens any more");
    if (world.steps - lookedAt < lookEvery) continue;
    lookedAt = world.steps;
    await lookAtWhole(world);
  }
}

/** The whole state in Redis. */
async function lookAtWhole(world: World): Promise<void> {
  const { servers, event, truth } = world;
  const keys = servers.keys(event);
  const answer: unknown = await servers.master.client.eval(WHOLE, keys.length, ...keys);
  const found = Array.isArray(answer) ? answer.map(String) : [];
  truth.expect(found.length === 0, () => found.join("; "));
}
