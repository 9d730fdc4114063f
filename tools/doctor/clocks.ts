// Clocks. Proofs count within a minute of ours, admissions end by the second, expiry is the database's.
import { bad, type Finding, good, look } from "./finding.ts";

const LOOK_MS = 2_000;
const BAD_MS = 10_000;
const TIMEOUT_MS = 5_000;

export type ClockReading = { readonly name: string; readonly offsetMs: number };

/** Pure. The span between the two that differ most. */
export function judgeClocks(readings: readonly ClockReading[]): Finding[] {
  if (readings.length < 2) return [];
  const sorted = readings.toSorted((a, b) => a.offsetMs - b.offsetMs);
  const [behind, ahead] = [sorted[0], sorted.at(-1)];
  if (behind === undefined || ahead === undefined) return [];
  const spanMs = ahead.offsetMs - behind.offsetMs;
  const says = `${ahead.name} is ${(spanMs / 1_000).toFixed(1)} s ahead of ${behind.name}`;
  const remedy = "run an NTP client (chrony, systemd-timesyncd) on both machines";
  if (spanMs > BAD_MS) return [bad("clocks", says, remedy)];
  if (spanMs > LOOK_MS) return [look("clocks", says, remedy)];
  return [good("clocks", `${readings.length} clocks agree within ${LOOK_MS / 1_000} s`)];
}

/** How far a clock is from ours, taking half of the way there and back off. */
export async function readClock(
  name: string,
  ask: () => Promise<number>,
  now: () => number = Date.now,
): Promise<ClockReading> {
  const before = now();
  const theirs = await ask();
  const after = now();
  return { name, offsetMs: theirs - (before + after) / 2 };
}

/** A `Date` header is cut to the second: its middle is the fairest reading. */
export async function askDate(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
  const date = response.headers.get("date");
  if (date === null) throw new Error(`${new URL(url).origin} sends no Date header`);
  return Date.parse(date) + 500;
}

/** Bare workerd sends no `Date`; a room's status, made each second and kept a second, has its time. */
export async function askStatus(gate: string, event: string): Promise<number> {
  const response = await fetch(`${gate}/api/queue/${event}/status`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { now }: { now: string } = await response.json();
  return Date.parse(now) + 1_000;
}
