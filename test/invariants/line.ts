// What must be true of a line: by Redis's own sets, by the slots' records, and by what fans saw.
import type { Note } from "./history.ts";
import type { LineFacts } from "./line-facts.ts";

const WINDOW_MS = 60_000;
/** A change bites at the door within two seconds; a tick may be late on a busy machine. */
const BITES_WITHIN_MS = 3_000;

export type LineRules = { readonly ratePerMinute: number; readonly activeMax: number };

/** The most claims in any window of a minute, and when that window ends. */
export function busiestMinute(claims: readonly number[]): { count: number; at: number } {
  const sorted = [...claims].sort((a, b) => a - b);
  let best = { count: 0, at: 0 };
  let from = 0;
  sorted.forEach((at, i) => {
    while ((sorted[from] ?? at) <= at - WINDOW_MS) from += 1;
    const count = i - from + 1;
    if (count > best.count) best = { count, at };
  });
  return best;
}

/** When the room was paused, by the organizer's own acts: from the answer to the next act's start. */
function pauses(notes: readonly Note[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  let from: number | undefined;
  for (const { op, outcome, state, at } of notes) {
    if (op !== "act") continue;
    if (state === "paused" && outcome === 200) from = at;
    if (state !== "resuming" || from === undefined) continue;
    spans.push({ from: from + BITES_WITHIN_MS, to: at });
    from = undefined;
  }
  return spans;
}

function brokenClaims(facts: LineFacts, rules: LineRules, notes: readonly Note[]): string[] {
  const broken: string[] = [];
  const claims = [...facts.slots.values()].flatMap(({ claimedAt }) =>
    claimedAt > 0 ? [claimedAt] : [],
  );
  const busiest = busiestMinute(claims);
  if (busiest.count > rules.ratePerMinute)
    broken.push(
      `${busiest.count} admissions in the minute before ${new Date(busiest.at).toISOString()}, ` +
        `the rate is ${rules.ratePerMinute}`,
    );
  if (facts.inside.size > rules.activeMax)
    broken.push(`${facts.inside.size} are inside, at most ${rules.activeMax} may be`);
  for (const { from, to } of pauses(notes)) {
    const during = claims.filter((at) => at > from && at < to);
    if (during.length > 0) broken.push(`${during.length} were admitted while the room was paused`);
  }
  return broken;
}

/** Redis's sets against each other and against its counters. */
function brokenSets(facts: LineFacts): string[] {
  const broken: string[] = [];
  const owners = new Map<number, string>();
  const see = (place: string, number: number): void => {
    if (number <= 0) return;
    const owner = owners.get(number);
    if (owner !== undefined && owner !== place)
      broken.push(`number ${number} belongs to ${owner} and to ${place}`);
    owners.set(number, place);
    if (number > facts.last) broken.push(`number ${number} is beyond the last one, ${facts.last}`);
  };
  for (const [place, number] of facts.waiting) see(place, number);
  for (const [place, { number }] of facts.slots) see(place, number);
  for (const place of facts.waiting.keys()) {
    if (facts.inside.has(place)) broken.push(`${place} waits and is inside`);
    if (facts.gone.has(place)) broken.push(`${place} waits and is gone`);
  }
  const drawn = facts.poolSize !== undefined;
  const issued = drawn ? facts.last : facts.last + facts.nextIndex;
  // Who left while inside counts as inside until the slot ends, and is already among the gone.
  const counted =
    facts.waiting.size +
    facts.pool.size +
    facts.inside.size +
    facts.gone.size -
    facts.leaving -
    facts.unnumbered;
  // After a loss numbers are skipped up to the ceiling, so there may be fewer people, never more.
  if (counted > issued)
    broken.push(`${issued} numbers and indexes were issued, ${counted} people are counted`);
  return broken;
}

/** What each fan saw of its own number and of its admission. */
function brokenSights(notes: readonly Note[], facts: LineFacts): string[] {
  const broken: string[] = [];
  const numbers = new Map<string, number>();
  const owners = new Map<number, string>();
  const admitted = new Map<string, string>();
  for (const { place, number, jti, op, outcome } of notes) {
    if (place === undefined || typeof outcome !== "number" || outcome >= 300) continue;
    if (number !== undefined && op !== "act") {
      const before = numbers.get(place);
      if (before !== undefined && before !== number)
        broken.push(`${place} had number ${before} and then ${number}`);
      const owner = owners.get(number);
      if (owner !== undefined && owner !== place)
        broken.push(`number ${number} was given to ${owner} and to ${place}`);
      numbers.set(place, number);
      owners.set(number, place);
    }
    if (jti === undefined) continue;
    const first = admitted.get(place);
    if (first !== undefined && first !== jti)
      broken.push(`${place} was admitted as ${first} and again as ${jti}`);
    admitted.set(place, jti);
  }
  for (const place of admitted.keys()) {
    const slot = facts.slots.get(place);
    if (slot === undefined || slot.claimedAt === 0)
      broken.push(`${place} was admitted, and the line knows nothing of it`);
  }
  return broken;
}

/** A place that was acknowledged stands in the line, is inside, or has an end; nobody is forgotten. */
export function brokenJoins(notes: readonly Note[], facts: LineFacts): string[] {
  const known = (place: string): boolean =>
    facts.waiting.has(place) ||
    facts.pool.has(place) ||
    facts.late.has(place) ||
    facts.inside.has(place) ||
    facts.gone.has(place) ||
    facts.slots.has(place);
  // Who closed the page while Redis was lost returns by its receipt; only those who looked again
  // afterwards must be there.
  const lookedAt = new Map<string, Note>();
  for (const note of notes)
    if (note.place !== undefined && note.op === "turn" && note.outcome === 200)
      lookedAt.set(note.place, note);
  return [...lookedAt.keys()].filter((place) => !known(place)).map((place) => `${place} is lost`);
}

export function brokenLine(facts: LineFacts, rules: LineRules, notes: readonly Note[]): string[] {
  const crowded = notes.flatMap(({ op, inside = 0, at }) =>
    op === "status" && inside > rules.activeMax
      ? [`at ${new Date(at).toISOString()} ${inside} were inside`]
      : [],
  );
  return [
    ...brokenClaims(facts, rules, notes),
    ...brokenSets(facts),
    ...brokenSights(notes, facts),
    ...crowded,
  ];
}

/** The room's history, second by second: everybody issued is somewhere. */
export function brokenSeconds(
  seconds: readonly {
    at: number;
    issued: number;
    waiting: number;
    inside: number;
    finished: number;
    gone: number;
  }[],
  rules: LineRules,
): string[] {
  const broken: string[] = [];
  let issuedBefore = 0;
  for (const { at, issued, waiting, inside, finished, gone } of seconds) {
    const when = new Date(at).toISOString();
    if (waiting + inside + finished + gone > issued)
      broken.push(`at ${when} ${waiting}+${inside}+${finished}+${gone} of ${issued} issued`);
    if (inside > rules.activeMax) broken.push(`at ${when} ${inside} were inside`);
    if (issued < issuedBefore) broken.push(`at ${when} the issued fell from ${issuedBefore}`);
    issuedBefore = Math.max(issuedBefore, issued);
  }
  return broken;
}
