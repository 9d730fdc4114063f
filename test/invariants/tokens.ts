// What nobody may get away with, judged by what those who tried it saw.
import type { Note } from "./history.ts";

/** Whoever is away or busy refuses too. */
const isAway = (note: Note): boolean =>
  note.outcome === "cut" || note.outcome >= 500 || note.outcome === 429;

const REFUSED = { steal: [404], forge: [400, 401], replay: [401] } as const;

export function brokenTokens(notes: readonly Note[]): string[] {
  const broken: string[] = [];
  const shown = new Map<string, string>();
  for (const note of notes) {
    const { op, outcome, who } = note;
    if (op === "steal" || op === "forge" || op === "replay") {
      const expected: readonly unknown[] = REFUSED[op];
      if (!isAway(note) && !expected.includes(outcome))
        broken.push(`${op} (${note.state ?? ""}) by ${who} was answered ${outcome}`);
    }
    if (note.jti === undefined) continue;
    const owner = shown.get(note.jti);
    if (owner !== undefined && owner !== who)
      broken.push(`admission ${note.jti} was given to ${owner} and to ${who}`);
    shown.set(note.jti, who);
  }
  return broken;
}
