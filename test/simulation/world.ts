// The simulated world: one Room and its Doors, which are the gate's own, the letters between them, their
// alarms and their deaths. One event is carried out after another, so a seed gives the same life again.
import type { Line, ScriptTexts } from "../../edge/line/types.ts";
import { Dice } from "./dice.ts";
import { Faults } from "./faults.ts";
import type { Server, Servers } from "./servers.ts";
import { Disk } from "./storage.ts";
import type { Life, Time } from "./time.ts";
import { Truth } from "./truth.ts";

const TRAVEL_MS = 3;
const LOST_AFTER_MS = 5_000;
const ALARM_AGAIN_MS = 2_000;
const SKEW_MS_MAX = 30_000;

type Method = (...args: readonly unknown[]) => Promise<unknown>;
type DurableClass = new (context: object, env: object) => object;
export type Classes = { readonly Room: DurableClass; readonly Door: DurableClass };

class Actor {
  readonly disk = new Disk();
  object: object | undefined;
  life: Life | undefined;
  ringing = false;
  readonly letters = new Set<(error: Error) => void>();
  readonly kind: keyof Classes;
  readonly name: string;

  constructor(kind: keyof Classes, name: string) {
    this.kind = kind;
    this.name = name;
  }
}

export class World {
  readonly time: Time;
  readonly dice: Dice;
  readonly faults: Faults;
  readonly truth: Truth;
  readonly servers: Servers;
  /** Other texts than the product's: for a test of what the simulation notices. */
  readonly scripts: ScriptTexts | undefined;
  readonly event: string;
  readonly actors = new Map<string, Actor>();
  /** Whoever is in here still talks to the server that was master before. */
  readonly leftBehind = new Map<string, Server>();
  steps = 0;
  readonly #classes: Classes;
  readonly #env: object;
  readonly #clients: Line[] = [];

  constructor(input: {
    readonly time: Time;
    readonly seed: number;
    readonly event: string;
    readonly servers: Servers;
    readonly classes: Classes;
    readonly variables: Readonly<Record<string, string>>;
    readonly scripts?: ScriptTexts;
  }) {
    this.time = input.time;
    this.dice = new Dice(input.seed);
    this.faults = new Faults(this.dice);
    this.truth = new Truth(this);
    this.event = input.event;
    this.servers = input.servers;
    this.scripts = input.scripts;
    this.#classes = input.classes;
    const space = (kind: keyof Classes) => ({
      idFromName: (name: string) => name,
      get: (name: string) => this.stub(kind, name),
    });
    const directory = { put: async () => undefined };
    this.#env = {
      ...input.variables,
      ROOM: space("Room"),
      DOOR: space("Door"),
      DIRECTORY: { idFromName: (name: string) => name, get: () => directory },
    };
    for (const server of input.servers.all) server.skewMs = this.#skew();
  }

  #skew(): number {
    return this.dice.between(-SKEW_MS_MAX, SKEW_MS_MAX);
  }

  closeLater(line: Line): void {
    this.#clients.push(line);
  }

  close(): void {
    for (const { life } of this.actors.values()) if (life) life.dead = true;
    for (const client of this.#clients) client.close();
  }

  serverOf(life: Life): Server {
    return this.leftBehind.get(life.name) ?? this.servers.master;
  }

  actor(kind: keyof Classes, name: string): Actor {
    const key = `${kind} ${name}`;
    const known = this.actors.get(key);
    if (known) return known;
    const made = new Actor(kind, name);
    this.actors.set(key, made);
    return made;
  }

  /** A crash: whatever it had not written down is gone, whoever waits for it hears nothing good. */
  crash(actor: Actor): void {
    if (!actor.life) return;
    actor.life.dead = true;
    actor.object = undefined;
    actor.life = undefined;
    for (const fail of actor.letters) this.time.after(TRAVEL_MS, () => fail(new Error("crashed")));
    actor.letters.clear();
    // An alarm that was not answered for comes again.
    if (actor.ringing && actor.disk.alarmAt === null) {
      actor.disk.alarmAt = this.time.now + ALARM_AGAIN_MS;
      this.#ring(actor);
    }
    actor.ringing = false;
    this.faults.hit(actor.kind === "Room" ? "Room crashed" : "Door crashed");
  }

  #alive(actor: Actor): { object: object; life: Life } {
    if (actor.object && actor.life) return { object: actor.object, life: actor.life };
    const life = { name: `${actor.kind} ${actor.name}`, skewMs: this.#skew(), dead: false };
    const storage = actor.disk.storageFor(life, () => this.#ring(actor));
    const Made = this.#classes[actor.kind];
    const context = { storage, abort: () => this.crash(actor) };
    const object = this.time.lives.run(life, () => new Made(context, this.#env));
    actor.object = object;
    actor.life = life;
    return { object, life };
  }

  #ring(actor: Actor): void {
    const at = actor.disk.alarmAt;
    if (at === null) return;
    const { lateMs, twice } = this.faults.onAlarm();
    this.time.at(at + lateMs, () => {
      if (actor.disk.alarmAt !== at) return;
      actor.disk.alarmAt = null;
      this.#alarm(actor);
      if (twice) this.time.after(this.dice.between(1, 500), () => this.#alarm(actor));
    });
  }

  #alarm(actor: Actor): void {
    this.steps += 1;
    const { life } = this.#alive(actor);
    actor.ringing = true;
    const done = () => {
      if (actor.life === life) actor.ringing = false;
    };
    this.#call(actor, "alarm", []).then(done, () => {
      done();
      if (life.dead || actor.disk.alarmAt !== null) return;
      actor.disk.alarmAt = this.time.now + ALARM_AGAIN_MS;
      this.#ring(actor);
    });
  }

  #call(actor: Actor, method: string, args: readonly unknown[]): Promise<unknown> {
    const { object, life } = this.#alive(actor);
    const work: unknown = Reflect.get(object, method);
    if (typeof work !== "function") throw new Error(`no method ${method}`);
    return this.time.lives.run(life, () => (work as Method).apply(object, [...args]));
  }

  stub(kind: keyof Classes, name: string): object {
    const get = (_: object, method: string) => {
      if (method === "then") return undefined;
      return (...args: unknown[]) => this.letter({ kind, name, method, args });
    };
    return new Proxy({}, { get });
  }

  /** A call of one object, or of a fan by way of a Worker, to another object. */
  letter<T>(to: {
    readonly kind: keyof Classes;
    readonly name: string;
    readonly method: string;
    readonly args: readonly unknown[];
  }): Promise<T> {
    const sender = this.time.lives.getStore();
    const actor = this.actor(to.kind, to.name);
    const travel = () => this.dice.between(1, TRAVEL_MS);
    const { time } = this;
    return new Promise<T>((resolve, reject) => {
      const fault = this.faults.onLetter();
      const tell = (ms: number, work: () => void) =>
        time.after(ms, () => (sender?.dead ? undefined : work()));
      const lose = () =>
        tell(this.dice.between(0, LOST_AFTER_MS), () =>
          reject(new Error("the connection is lost")),
        );
      if (fault === "lost request") return lose();
      time.after(travel(), () => {
        const fail = (error: Error) => tell(travel(), () => reject(error));
        actor.letters.add(fail);
        const life = () => actor.life;
        const before = this.#alive(actor).life;
        this.#call(actor, to.method, structuredClone(to.args)).then(
          (value) => {
            actor.letters.delete(fail);
            if (before.dead || life() !== before) return;
            if (fault === "lost answer") return lose();
            const answer = structuredClone(value) as T;
            tell(travel(), () => resolve(answer));
          },
          (error: unknown) => {
            actor.letters.delete(fail);
            if (!before.dead) fail(error instanceof Error ? error : new Error(String(error)));
          },
        );
      });
    });
  }
}

let current: World | undefined;

export function enter(world: World): void {
  current = world;
}

export function theWorld(): World {
  if (!current) throw new Error("no world has been entered");
  return current;
}
