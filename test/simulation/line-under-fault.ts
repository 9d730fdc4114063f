// Stands in for `edge/line/line.ts` in Room and Doors: the real client and the real scripts, but each
// call travels in simulated time, and may be lost on its way, on its way back, come twice or far too late.
import { openLine as openRealLine } from "../../edge/line/line.ts";
import type { Away, Line, LineOptions } from "../../edge/line/types.ts";
import type { Server } from "./servers.ts";
import type { Life } from "./time.ts";
import { theWorld } from "./world.ts";

/** The client's own bound. */
const TIMEOUT_MS = 1_000;
const LATE_MS_MAX = 20_000;
const HASTE_MS = 4;

const UNREACHABLE: Away = {
  state: "away",
  reason: "unreachable",
  maybeDone: false,
  detail: "simulated",
};
const LOST: Away = { state: "away", reason: "timeout", maybeDone: true, detail: "simulated" };

type Method = Exclude<keyof Line, "close">;

export function openLine(options: LineOptions): Line {
  const world = theWorld();
  const life = world.time.lives.getStore();
  if (!life) throw new Error("a line is opened by an object");
  const clients = new Map<Server, Line>();
  const clientOf = (server: Server): Line => {
    let client = clients.get(server);
    if (!client) {
      client = openRealLine({
        ...options,
        url: server.url,
        scripts: world.scripts ?? options.scripts,
        commandTimeoutMs: 60_000,
        now: () => world.time.now + server.skewMs,
      });
      clients.set(server, client);
      world.closeLater(client);
    }
    return client;
  };
  const ask = (method: Method, args: readonly unknown[]): Promise<unknown> => {
    const { time, dice, faults } = world;
    const server = world.serverOf(life);
    // The fence's beat is the client's at the time of sending, the server's clock that of the work.
    const carryOut = async (): Promise<unknown> => {
      if (!server.reachable) return UNREACHABLE;
      const work = clientOf(server)[method] as (...args: readonly unknown[]) => Promise<unknown>;
      const result = await work(...args);
      world.truth.seeLine({ life, server, method, args, result });
      return result;
    };
    return new Promise((resolve, reject) => {
      const answer = (value: unknown, ms: number) =>
        time.after(ms, () => (life.dead ? undefined : inLife(life, () => resolve(value))));
      const travels = dice.between(0, HASTE_MS);
      const fault = faults.onCall(method);
      if (fault === "unreachable") return answer(UNREACHABLE, travels);
      if (fault === "late") {
        answer(LOST, TIMEOUT_MS);
        return time.after(dice.between(0, LATE_MS_MAX), carryOut);
      }
      time.after(travels, async () => {
        try {
          const value = await carryOut();
          if (fault === "twice") time.after(dice.between(0, TIMEOUT_MS), carryOut);
          if (fault === "lost") answer(LOST, TIMEOUT_MS);
          else answer(value, dice.between(0, HASTE_MS));
        } catch (error) {
          reject(error);
        }
      });
    });
  };
  const inLife = (own: Life, work: () => void) => world.time.lives.run(own, work);
  const handler = {
    get: (_: object, method: Method | "close" | "then") => {
      // Whatever holds a line may be awaited: it is no promise.
      if (method === "then") return undefined;
      return method === "close" ? () => undefined : (...args: unknown[]) => ask(method, args);
    },
  };
  return new Proxy({}, handler) as Line;
}
