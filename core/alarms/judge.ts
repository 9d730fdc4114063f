import type { Rule, Sample } from "./rules.ts";

/** Pure: from samples to what begins to ring and what ends. */

export type Notice = {
  name: string;
  state: "firing" | "ended";
  value: number;
  threshold: number;
  /** ISO 8601: since when it has been so. */
  since: string;
  meaning: string;
};

/** An alarm that has begun and not ended. */
export type Ringing = { name: string; sinceMs: number };

/** `adoptedMs`: it rang at a process that has gone, and we have not read its metric ourselves yet. */
type Standing = { sinceMs: number; fired: boolean; adoptedMs?: number };

/** A metric that a process does not have by then, it never will; the job of figures runs more often. */
const UNREAD_MS = 60_000;

export type Judge = {
  /** What is to be told now; each beginning and each end once. */
  look(samples: readonly Sample[], nowMs: number): Notice[];
  ringing(): Ringing[];
  /** What rang at a process that has gone: its end is ours to tell. */
  adopt(ringing: Ringing, nowMs: number): void;
};

const matches = (rule: Rule, sample: Sample) =>
  sample.metric === rule.metric &&
  Object.entries(rule.labels ?? {}).every(([name, value]) => sample.labels[name] === value);

/** `undefined`: the metric is not there (yet), which rings nothing. */
export function readingOf(
  rule: Rule,
  samples: readonly Sample[],
  sums: Map<string, number>,
): number | undefined {
  const values = samples.filter((sample) => matches(rule, sample)).map(({ value }) => value);
  // A counter of ours is not there before its first event, which counts; a server's own figure may be
  // high already when it is first seen.
  if (values.length === 0 && rule.metric.endsWith("_total")) sums.set(rule.name, 0);
  if (values.length === 0) return undefined;
  if (rule.read === "value") return Math.max(...values);
  const sum = values.reduce((all, value) => all + value, 0);
  const before = sums.get(rule.name) ?? sum;
  sums.set(rule.name, sum);
  return Math.max(0, sum - before);
}

export function createJudge(rules: readonly Rule[]): Judge {
  const standings = new Map<string, Standing>();
  const sums = new Map<string, number>();

  const noticeOf = (
    rule: Rule,
    told: { state: Notice["state"]; value: number; sinceMs: number },
  ): Notice => ({
    name: rule.name,
    state: told.state,
    value: told.value,
    threshold: rule.above,
    since: new Date(told.sinceMs).toISOString(),
    meaning: rule.meaning,
  });

  /** Of a rule whose metric is not there: only what was taken over can end by that. */
  const endUnread = (rule: Rule, nowMs: number): Notice | undefined => {
    const standing = standings.get(rule.name);
    if (standing?.adoptedMs === undefined || nowMs - standing.adoptedMs < UNREAD_MS)
      return undefined;
    standings.delete(rule.name);
    return noticeOf(rule, { state: "ended", value: 0, sinceMs: standing.sinceMs });
  };

  const judge = (rule: Rule, value: number, nowMs: number): Notice | undefined => {
    const notice = (state: Notice["state"], sinceMs: number): Notice =>
      noticeOf(rule, { state, value, sinceMs });
    const standing = standings.get(rule.name);
    if (value <= rule.above) {
      standings.delete(rule.name);
      return standing?.fired ? notice("ended", standing.sinceMs) : undefined;
    }
    const present = standing ?? { sinceMs: nowMs, fired: false };
    delete present.adoptedMs;
    standings.set(rule.name, present);
    if (present.fired || nowMs - present.sinceMs < rule.forMs) return undefined;
    present.fired = true;
    return notice("firing", present.sinceMs);
  };

  return {
    look(samples, nowMs) {
      return rules.flatMap((rule) => {
        const value = readingOf(rule, samples, sums);
        const notice = value === undefined ? endUnread(rule, nowMs) : judge(rule, value, nowMs);
        return notice ? [notice] : [];
      });
    },
    ringing: () =>
      [...standings].flatMap(([name, { fired, sinceMs }]) => (fired ? [{ name, sinceMs }] : [])),
    adopt({ name, sinceMs }, nowMs) {
      if (!rules.some((rule) => rule.name === name)) return;
      const standing = standings.get(name);
      if (standing?.fired) standing.sinceMs = Math.min(standing.sinceMs, sinceMs);
      else standings.set(name, { sinceMs, fired: true, adoptedMs: nowMs });
    },
  };
}
