/**
 * The server's clock, as far as this page can know it. Answers are old by the time they arrive, so
 * each one bounds the truth from below and the highest bound wins. It counts on the page's own
 * monotonic clock: a phone that is ten minutes off, or is set right meanwhile, changes nothing.
 */

const KEPT = "sira-clock";
let bound: number | undefined;

/** The wall clock may be wrong; the last offset known to this tab is better than none. */
function firstGuess(): number {
  try {
    const kept = Number(sessionStorage.getItem(KEPT) ?? "0");
    if (Number.isFinite(kept)) return Date.now() + kept - performance.now();
  } catch {
    // Storage is kept from us; the phone's clock has to do until a server answers.
  }
  return Date.now() - performance.now();
}

/** @param instant ISO 8601 from a reply that has just arrived. */
export function learnTime(instant: string | undefined): void {
  const server = instant === undefined ? Number.NaN : Date.parse(instant);
  if (Number.isNaN(server)) return;
  const next = server - performance.now();
  if (bound !== undefined && next <= bound) return;
  bound = next;
  try {
    sessionStorage.setItem(KEPT, String(Math.round(bound + performance.now() - Date.now())));
  } catch {
    // As above.
  }
}

/** ms since 1970 by the server's clock. */
export const serverNow = (): number => (bound ?? firstGuess()) + performance.now();
