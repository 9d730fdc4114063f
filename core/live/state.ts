import type { LiveDelta } from "./live.ts";

/** Pure: what a process knows of one event's availability, and what news changes in it. */

export type RowFact = { section_id: string; row_id: string; map: string; version: number };
export type ZoneFact = { zone_id: string; available: number; version: number };

/** Letters of a row record → letters of the seat map: free of any kind is `a`; gaps are left out. */
export const seatLetters = (map: string): string => map.replace(/\./g, "").replace(/[fac]/g, "a");

/**
 * Versions come from one sequence and are visible at commit, so a lower one may appear after a
 * higher. Reads therefore go back to what was the newest this long ago, which is longer than any
 * statement of ours lives, and what is known already is dropped by comparison.
 */
export const OVERLAP_MS = 10_000;

/** Deltas kept for `Last-Event-ID`. */
const DELTAS_KEPT_MAX = 500;

export type EventState = ReturnType<typeof createState>;

export function createState(event: string) {
  const rows = new Map<string, string>();
  const zones = new Map<string, number>();
  const marks: { atMs: number; version: number }[] = [];
  const deltas: LiveDelta[] = [];
  let version = 0;
  let oldestResumable = Number.POSITIVE_INFINITY;

  /** Applies facts; the delta of what really changed, if anything did. */
  const apply = (
    facts: { rows: readonly RowFact[]; zones: readonly ZoneFact[] },
    nowMs: number,
  ): LiveDelta | undefined => {
    const delta: LiveDelta = { event, version, rows: [], zones: [] };
    for (const row of facts.rows) {
      const key = `${row.section_id}\n${row.row_id}`;
      const status = seatLetters(row.map);
      version = Math.max(version, row.version);
      if (rows.get(key) === status) continue;
      rows.set(key, status);
      delta.rows.push({ section: row.section_id, row: row.row_id, status });
    }
    for (const zone of facts.zones) {
      version = Math.max(version, zone.version);
      if (zones.get(zone.zone_id) === zone.available) continue;
      zones.set(zone.zone_id, zone.available);
      delta.zones.push({ id: zone.zone_id, available: zone.available });
    }
    delta.version = version;
    if (marks.at(-1)?.version !== version) marks.push({ atMs: nowMs, version });
    return delta.rows.length + delta.zones.length > 0 ? delta : undefined;
  };

  return {
    /** The first read: everything; nothing to tell. */
    load(facts: { rows: readonly RowFact[]; zones: readonly ZoneFact[] }, nowMs: number) {
      apply(facts, nowMs);
      oldestResumable = version;
    },
    advance(facts: { rows: readonly RowFact[]; zones: readonly ZoneFact[] }, nowMs: number) {
      const delta = apply(facts, nowMs);
      if (!delta) return undefined;
      deltas.push(delta);
      if (deltas.length > DELTAS_KEPT_MAX) {
        const dropped = deltas.shift();
        if (dropped) oldestResumable = dropped.version;
      }
      return delta;
    },
    /** Read everything above this version. */
    readAbove(nowMs: number): number {
      while (marks.length > 1 && (marks[1]?.atMs ?? 0) <= nowMs - OVERLAP_MS) marks.shift();
      return marks[0]?.version ?? 0;
    },
    version: () => version,
    /** Deltas after `since`, or nothing when they are no longer (or were never) known here. */
    since(seen: number): readonly LiveDelta[] | undefined {
      if (seen < oldestResumable || seen > version) return undefined;
      return deltas.filter((delta) => delta.version > seen);
    },
  };
}
