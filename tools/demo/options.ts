// The flags and ports of `npm run dev`.
import { parseArgs } from "node:util";
import { isPortFree } from "../services/ports.ts";
import type { Ports } from "../stack.ts";

const CROWD_DEFAULT = 150;
const CROWD_MAX = 5_000;
const SEATS_DEFAULT = 1_000;
const SEATS_MAX = 100_000;

export interface DevOptions {
  readonly fresh: boolean;
  readonly crowd: number;
  readonly seats: number;
  readonly opensInMs: number | undefined;
  /** A shop of somebody else's: its service tokens are believed, its pages may call the gate. */
  readonly shop: string | undefined;
  readonly ports: Ports;
}

export const DEV_USAGE = `npm run dev -- [--fresh] [--crowd ${CROWD_DEFAULT}] [--seats ${SEATS_DEFAULT}] [--opens-in SECONDS]
           [--shop ORIGIN]

--fresh      remove the private database, line and keys first
--crowd      how many synthetic fans keep waiting in front of you,
             for a quarter of an hour (0: none)
--seats      numbered seats of the event demo, in sections of 500
--opens-in   both events open after so many seconds (demo: at once, demo-draw: after 120)
--shop       the origin of a shop of your own: the gate believes its service tokens (keys at
             ORIGIN/.well-known/jwks.json), and its pages may call the gate

EDGE_PORT, CORE_PORT, PSP_PORT and MAILBOX_PORT choose other ports than 8787 to 8790;
DATABASE_URL and REDIS_URL name servers to use instead of private ones.`;

/** Throws with a sentence for the person who typed the flags; undefined when help was asked for. */
export function readDevOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): DevOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      fresh: { type: "boolean", default: false },
      crowd: { type: "string", default: String(CROWD_DEFAULT) },
      seats: { type: "string", default: String(SEATS_DEFAULT) },
      "opens-in": { type: "string" },
      shop: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const opensIn = values["opens-in"];
  const opensInMs =
    opensIn === undefined ? undefined : readWhole("--opens-in", opensIn, 0, 86_400) * 1_000;
  return {
    fresh: values.fresh,
    crowd: readWhole("--crowd", values.crowd, 0, CROWD_MAX),
    seats: readWhole("--seats", values.seats, 1, SEATS_MAX),
    opensInMs,
    shop: values.shop === undefined ? undefined : readOrigin("--shop", values.shop),
    ports: {
      edge: readWhole("EDGE_PORT", env["EDGE_PORT"] ?? "8787", 1, 65_535),
      core: readWhole("CORE_PORT", env["CORE_PORT"] ?? "8788", 1, 65_535),
      psp: readWhole("PSP_PORT", env["PSP_PORT"] ?? "8789", 1, 65_535),
      mailbox: readWhole("MAILBOX_PORT", env["MAILBOX_PORT"] ?? "8790", 1, 65_535),
    },
  };
}

/** One sentence for each port that somebody else has. */
export async function findTakenPorts(ports: Ports): Promise<string[]> {
  const wanted = [
    { name: "EDGE_PORT", part: "gate", port: ports.edge },
    { name: "CORE_PORT", part: "core", port: ports.core },
    { name: "PSP_PORT", part: "payment simulator", port: ports.psp },
    { name: "MAILBOX_PORT", part: "mailbox", port: ports.mailbox },
  ];
  const taken: string[] = [];
  for (const { name, part, port } of wanted) {
    if (await isPortFree(port)) continue;
    const other = port + 1_000 > 65_535 ? port - 1_000 : port + 1_000;
    taken.push(
      `Port ${port} (${part}) is taken. Stop what uses it, or choose another: ` +
        `${name}=${other} npm run dev`,
    );
  }
  return taken;
}

function readWhole(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
}

function readOrigin(name: string, text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new Error(`${name} must be an origin such as http://127.0.0.1:3000, not "${text}"`);
}
