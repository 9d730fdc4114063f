import { setTimeout as sleep } from "node:timers/promises";

/** Longer than the work takes on an ordinary day, shorter than anybody minds. */
const ANSWER_MS = 150;

/**
 * The answer comes no sooner than this after the question, whatever was found: a row that had to be
 * written for one address and not for another is no sign of an account.
 */
export async function answerEvenly<T>(act: () => Promise<T>): Promise<T> {
  const floor = sleep(ANSWER_MS);
  try {
    return await act();
  } finally {
    await floor;
  }
}
