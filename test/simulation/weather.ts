// What happens to the world besides its fans: storms, crashes, lost masters, an organizer who pauses.
import type { World } from "./world.ts";

const EVERY_MS = 4_000;
const STORM_MS = 20_000;
const AWAY_MS_MAX = 15_000;
const PAUSE_MS_MAX = 8_000;
/** Between two losses of the line: a second failover inside one beat is nobody's plan. */
const LOSS_EVERY_MS = 12_000;
const ACT = { actor: "simulation", requestId: "req_simulation", reason: "simulation" };

export class Weather {
  readonly #world: World;
  #lossAt = 0;

  constructor(world: World) {
    this.#world = world;
  }

  start(): void {
    this.#world.time.after(EVERY_MS, () => this.#happen());
  }

  #tell(method: "act" | "patch", input: object): Promise<unknown> {
    const { event } = this.#world;
    return this.#world
      .letter({ kind: "Room", name: event, method, args: [input, ACT] })
      .catch(() => undefined);
  }

  async #happen(): Promise<void> {
    const world = this.#world;
    const { dice, faults, time } = world;
    if (faults.over) return;
    time.after(EVERY_MS * (0.2 + dice.next() * 1.6), () => this.#happen());
    world.steps += 1;
    const acts: readonly [number, () => Promise<void> | void][] = [
      [0.25, () => this.#storm()],
      [0.15, () => world.crash(world.actor("Room", world.event))],
      [0.2, () => this.#crashDoor()],
      [0.15, () => this.#lose()],
      [0.1, () => this.#cutOff()],
      [0.08, () => this.#pause()],
      [0.07, () => this.#changeRate()],
    ];
    let chance = dice.next();
    for (const [share, act] of acts) {
      chance -= share;
      if (chance < 0) {
        await act();
        return;
      }
    }
    await this.#copy();
  }

  async #copy(): Promise<void> {
    await this.#world.servers.copy(this.#world.event);
  }

  #storm(): void {
    const { faults, time } = this.#world;
    faults.stormy = true;
    time.after(STORM_MS, () => {
      faults.stormy = false;
    });
  }

  #crashDoor(): void {
    const { actors, dice } = this.#world;
    const doors = [...actors.values()].filter(({ kind, life }) => kind === "Door" && life);
    if (doors.length > 0) this.#world.crash(dice.pick(doors));
  }

  async #lose(): Promise<void> {
    const { dice, faults, servers, time, event } = this.#world;
    if (time.now - this.#lossAt < LOSS_EVERY_MS) return await this.#copy();
    this.#lossAt = time.now;
    const how = dice.pick(["failover", "failover", "wipe", "old data"] as const);
    if (how === "wipe") {
      faults.hit("Redis wiped");
      await servers.wipe();
    } else if (how === "old data") {
      faults.hit("Redis restarted with old data");
      await servers.rollBack(event);
    } else {
      faults.hit("failover that loses writes");
      const before = servers.master;
      // Whatever comes between the copy and the failover is lost.
      await servers.failOver();
      this.#leaveBehind(before);
    }
    await this.#copy();
  }

  /** Some still talk to the old master for a while, and it answers. */
  #leaveBehind(before: World["servers"]["master"]): void {
    const { actors, dice, faults, leftBehind, time } = this.#world;
    for (const { kind, name } of actors.values()) {
      if (!dice.hits(kind === "Door" ? 0.4 : 0.2)) continue;
      faults.hit(kind === "Door" ? "Door stays on the old master" : "Room stays on the old master");
      const key = `${kind} ${name}`;
      leftBehind.set(key, before);
      time.after(dice.between(500, 10_000), () => leftBehind.delete(key));
    }
  }

  #cutOff(): void {
    const { dice, faults, servers, time } = this.#world;
    faults.hit("Redis unreachable");
    const { master } = servers;
    master.reachable = false;
    time.after(dice.between(500, AWAY_MS_MAX), () => {
      master.reachable = true;
    });
  }

  #pause(): void {
    const { dice, faults, time } = this.#world;
    faults.hit("pause and resume");
    this.#tell("act", { action: "pause", reason: "simulation" });
    const resume = () => {
      this.#tell("act", { action: "resume", reason: "simulation" }).then((answer) => {
        if (answer === undefined) time.after(1_000, resume);
      });
    };
    time.after(dice.between(500, PAUSE_MS_MAX), resume);
  }

  #changeRate(): void {
    const { dice, faults } = this.#world;
    faults.hit("rate changed");
    this.#tell("patch", { patch: { ratePerMinute: dice.pick([30, 60, 120, 240]) } });
  }
}
