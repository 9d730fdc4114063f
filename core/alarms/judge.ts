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

type Standing = { sinceMs: number; fired: boolean };

export type Judge = {
  /** What is to be told now; each beginning and each end once. */
  look(samples: readonly Sample[], nowMs: number): Notice[];
  firing(): string[];
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

  const judge = (rule: Rule, value: number, nowMs: number): Notice | undefined => {
    const notice = (state: Notice["state"], sinceMs: number): Notice => ({
      name: rule.name,
      state,
      value,
      threshold: rule.above,
      since: new Date(sinceMs).toISOString(),
      meaning: rule.meaning,
    });
    const standing = standings.get(rule.name);
    if (value <= rule.above) {
      standings.delete(rule.name);
      return standing?.fired ? notice("ended", standing.sinceMs) : undefined;
    }
    const present = standing ?? { sinceMs: nowMs, fired: false };
    standings.set(rule.name, present);
    if (present.fired || nowMs - present.sinceMs < rule.forMs) return undefined;
    present.fired = true;
    return notice("firing", present.sinceMs);
  };

  return {
    look(samples, nowMs) {
      return rules.flatMap((rule) => {
        const value = readingOf(rule, samples, sums);
        if (value === undefined) return [];
        const notice = judge(rule, value, nowMs);
        return notice ? [notice] : [];
      });
    },
    firing: () => [...standings].filter(([, { fired }]) => fired).map(([name]) => name),
  };
}
