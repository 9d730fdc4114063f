// The one checker: everything that must hold, from every witness there is. What is not given is not
// judged; what is broken comes back as a sentence under the name of its area.
import type { Db } from "../../core/db/db.ts";
import { brokenBooks, type Charge } from "./books.ts";
import type { Note } from "./history.ts";
import { brokenJoins, brokenLine, brokenSeconds, type LineRules } from "./line.ts";
import type { LineFacts } from "./line-facts.ts";
import { brokenOutbox, type Mail } from "./outbox.ts";
import { brokenSeats } from "./seats.ts";
import { brokenTokens } from "./tokens.ts";

export const AREAS = ["seats", "money", "line", "tokens", "outbox"] as const;
export type Area = (typeof AREAS)[number];
export type Broken = { readonly area: Area; readonly what: string };

export type Evidence = {
  readonly db?: Db;
  readonly events?: readonly string[];
  readonly charges?: readonly Charge[];
  readonly mails?: readonly Mail[];
  readonly line?: {
    readonly facts: LineFacts;
    readonly rules: LineRules;
    readonly seconds?: Parameters<typeof brokenSeconds>[0];
  };
  readonly notes?: readonly Note[];
};

const under = (area: Area, sentences: readonly string[]): Broken[] =>
  sentences.map((what) => ({ area, what }));

export async function findBroken(evidence: Evidence): Promise<Broken[]> {
  const { db, events = [], charges, mails, line, notes = [] } = evidence;
  const broken: Broken[] = under("tokens", brokenTokens(notes));
  if (db !== undefined) {
    broken.push(...under("seats", await brokenSeats(db, events)));
    broken.push(...under("outbox", await brokenOutbox(db, mails)));
    if (charges !== undefined) broken.push(...under("money", await brokenBooks(db, charges)));
  }
  if (line !== undefined) {
    const { facts, rules, seconds = [] } = line;
    broken.push(...under("line", brokenLine(facts, rules, notes)));
    broken.push(...under("line", brokenJoins(notes, facts)));
    broken.push(...under("line", brokenSeconds(seconds, rules)));
  }
  return broken;
}
