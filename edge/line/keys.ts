// Names of everything the line keeps in Redis, and which script touches what. The event is the hash tag,
// so all keys of an event live in one slot of a Redis Cluster; the epoch is part of the name, so that a
// reset starts on empty keys and the old ones are unlinked.

import type { ScriptName } from "./types.ts";

export const KEY_NAMES = [
  "META",
  "POOL",
  "LINE",
  "DOOR",
  "SEEN",
  "INSIDE",
  "SLOT",
  "GONE",
  "PASSES",
  "LATE",
  "READY",
  "ARRIVALS",
  "LOG",
] as const;

export type KeyName = (typeof KEY_NAMES)[number];

/** In the order in which each script gets them; the header of the `.lua` file repeats it. */
export const SCRIPT_KEYS = {
  join: ["META", "POOL", "LINE", "DOOR", "INSIDE", "SLOT", "GONE", "LATE"],
  turn: KEY_NAMES.slice(0, 12),
  peek: ["META", "POOL", "LINE", "DOOR", "INSIDE", "SLOT", "GONE", "LATE"],
  tick: KEY_NAMES,
  release: ["META", "INSIDE", "SLOT", "GONE"],
  extend: ["META", "INSIDE", "SLOT"],
  leave: KEY_NAMES.slice(0, 11),
  admit: ["META", "LINE", "DOOR", "SEEN", "INSIDE", "SLOT", "GONE", "LOG"],
  fill: ["META", "POOL", "LINE", "SLOT", "GONE"],
  arrivals: ["META", "POOL", "LINE", "SLOT", "GONE", "LATE"],
  refill: KEY_NAMES,
  figures: ["META", "POOL", "LINE", "DOOR", "INSIDE", "GONE", "PASSES", "LATE"],
  pool: ["META", "POOL"],
} as const satisfies Record<ScriptName, readonly KeyName[]>;

export const SCRIPT_NAMES = Object.keys(SCRIPT_KEYS).filter(
  (name): name is ScriptName => name in SCRIPT_KEYS,
);

export interface LineName {
  readonly prefix: string;
  readonly event: string;
}

export function lineKey(line: LineName, epoch: number, name: KeyName): string {
  return `${line.prefix}room:{${line.event}}:${epoch}:${name.toLowerCase()}`;
}

export function scriptKeys(line: LineName, epoch: number, script: ScriptName): string[] {
  return SCRIPT_KEYS[script].map((name) => lineKey(line, epoch, name));
}

/** The line that gives a script's keys their names; the client puts it in front of the text. */
export function bindKeys(script: ScriptName): string {
  const names = SCRIPT_KEYS[script];
  return `local ${names.join(", ")} = ${names.map((_, i) => `KEYS[${i + 1}]`).join(", ")}`;
}
