// Lets fans arrive: `fans` in all at `rate` a second, or, with `keepWaiting`, as many as keep a
// queue of that length in front of whoever looks.
import { setTimeout as sleep } from "node:timers/promises";
import type { StatusDocument } from "../../shared/contract/queue.ts";
import { runFan } from "./fan.ts";
import type { ReleaseSlot } from "./release-slot.ts";
import type { Tally } from "./tally.ts";

export interface CrowdOptions {
  readonly edge: string;
  readonly event: string;
  readonly signal: AbortSignal;
  readonly tally: Tally;
  /** How long an admitted fan stays. */
  readonly shopMs: { readonly min: number; readonly max: number };
  /** The share of fans that close their tab without a word. */
  readonly absentShare: number;
  readonly onJoined?: () => void;
  readonly release?: ReleaseSlot;
}

/** Ends when every fan has been admitted, has left, or has given up. */
export async function runCrowd(
  options: CrowdOptions & { readonly fans: number; readonly ratePerSecond: number },
): Promise<void> {
  const fans: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < options.fans && !options.signal.aborted; index++) {
    const dueAt = startedAt + (index / options.ratePerSecond) * 1_000;
    const waitMs = dueAt - performance.now();
    if (waitMs > 1) await sleep(waitMs, undefined, { signal: options.signal }).catch(() => {});
    fans.push(startFan(options, index));
  }
  await Promise.all(fans);
}

const WATCH_MS = 1_000;
const ARRIVALS_PER_BEAT_MAX = 40;
/** The crowd leaves this share of the room to people: beyond it nobody new of it arrives. */
const ROOM_SHARE_MAX = 0.6;

/** Goes on until the signal, so that a demonstration always has a queue that moves. */
export async function keepWaiting(
  options: CrowdOptions & { readonly waiting: number; readonly activeMax: number },
): Promise<void> {
  const fans = new Set<Promise<void>>();
  let index = 0;
  while (!options.signal.aborted) {
    const status = await readStatus(options);
    if (status !== undefined) {
      const roomLeft = options.activeMax * ROOM_SHARE_MAX - status.inside;
      const missing = options.waiting - Math.max(status.waiting, status.pool.count);
      const arrivals = Math.min(missing, roomLeft, ARRIVALS_PER_BEAT_MAX);
      const mayArrive = status.phase === "open" || status.phase === "upcoming";
      for (let count = 0; mayArrive && count < arrivals; count++) {
        const fan = startFan(options, index++).finally(() => fans.delete(fan));
        fans.add(fan);
      }
    }
    await sleep(WATCH_MS, undefined, { signal: options.signal }).catch(() => {});
  }
  await Promise.all(fans);
}

async function startFan(options: CrowdOptions, index: number): Promise<void> {
  const { shopMs, signal, tally } = options;
  const isAbsent = Math.random() < options.absentShare;
  const stayMs = shopMs.min + Math.random() * (shopMs.max - shopMs.min);
  try {
    await runFan({
      edge: options.edge,
      event: options.event,
      shopMs: isAbsent ? undefined : stayMs,
      signal,
      tally,
      address: addressOf(index),
      onJoined: options.onJoined,
      release: options.release,
    });
  } catch (error) {
    if (!signal.aborted) tally.wrong(error instanceof Error ? error.message : String(error));
  }
}

/** Every fan has an address of its own, from the block reserved for benchmarks (RFC 2544). */
function addressOf(index: number): string {
  const host = index % 131_072;
  return `198.${18 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`;
}

async function readStatus(options: CrowdOptions): Promise<StatusDocument | undefined> {
  try {
    const url = `${options.edge}/api/queue/${options.event}/status`;
    const response = await fetch(url, { signal: options.signal });
    if (!response.ok) return undefined;
    return (await response.json()) as StatusDocument;
  } catch {
    return undefined;
  }
}
