// What the scripts return, as the types of `types.ts`. A reply of another shape is a bug of ours.

import assert from "node:assert/strict";
import type { Away, Counts, Phase, Row, Stale } from "./types.ts";

const AWAY_REASONS = ["server", "restore", "filling", "rolled_back"] as const;
const PHASES = ["upcoming", "drawing", "open", "paused", "sold_out", "closed"] as const;
const ROW_KINDS = ["called", "missed", "claimed", "left", "finished", "gone"] as const;

/** A script's array reply, read front to back. */
export interface Reply {
  readonly state: string;
  int(): number;
  text(): string;
  texts(): string[];
  ints(): number[];
  phase(): Phase;
  row(): Row;
}

function toInt(value: unknown): number {
  const number = Number(value);
  assert(Number.isFinite(number), "a script returned no number where one was due");
  return number;
}

function toList(value: unknown): unknown[] {
  assert(Array.isArray(value), "a script returned no list where one was due");
  return value;
}

export function oneOf<T extends string>(all: readonly T[], value: string): T {
  const found = all.find((one) => one === value);
  assert(found !== undefined, `a script returned an unknown word: ${value}`);
  return found;
}

export function readRow(text: string): Row {
  const [kind, place, number, misses, claimedAt, until] = text.split("|");
  return {
    kind: oneOf(ROW_KINDS, kind ?? ""),
    place: place ?? "",
    number: toInt(number),
    misses: toInt(misses),
    claimedAt: toInt(claimedAt),
    until: toInt(until),
  };
}

/** A row as the arguments of a script; none: six empty ones. */
export function rowArgs(row: Row | undefined): string[] {
  if (!row) return ["", "0", "0", "0", "0"];
  return [row.kind, ...[row.number, row.misses, row.claimedAt, row.until].map(String)];
}

export function readReply(raw: unknown): Reply {
  const items = toList(raw);
  let at = 1;
  const next = () => {
    assert(at < items.length, "a script returned fewer values than its header says");
    return items[at++];
  };
  const text = () => String(next());
  return {
    state: String(items[0]),
    int: () => toInt(next()),
    text,
    texts: () => toList(next()).map(String),
    ints: () => toList(next()).map(toInt),
    phase: () => oneOf(PHASES, text()),
    row: () => readRow(text()),
  };
}

/** The two answers every script may give instead of its own. */
export function refusalOf(reply: Reply): Away | Stale | null {
  if (reply.state === "stale") return { state: "stale", gen: reply.int() };
  if (reply.state !== "away") return null;
  const reason = oneOf(AWAY_REASONS, reply.text());
  return { state: "away", reason, maybeDone: false, detail: `the fence does not hold: ${reason}` };
}

export function readCounts(values: readonly number[]): Counts {
  let at = 0;
  const next = () => {
    const value = values[at++];
    assert(value !== undefined, "a script returned fewer counts than common.lua makes");
    return value;
  };
  return {
    issued: next(),
    waiting: next(),
    door: next(),
    inside: next(),
    finished: next(),
    gone: next(),
    unreturned: next(),
    late: next(),
    pool: next(),
    nextIndex: next(),
    last: next(),
    filled: next(),
    calling: next(),
    admitted: next(),
    unclaimed: next(),
    freed: next(),
    minute: next(),
    roundTheLine: next(),
  };
}
