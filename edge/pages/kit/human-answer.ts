import { load, remove, save } from "./store.ts";

/** The answer to a check that has a page of its own, left for the queue page by that page. */

const answerKey = (event: string): string => `checked:${event}`;

export const keepAnswer = (event: string, token: string): Promise<void> =>
  save(answerKey(event), token);

/** An answer counts once, so it is taken and not looked at. */
export async function takeAnswer(event: string): Promise<string | undefined> {
  const token = await load<string>(answerKey(event));
  if (token !== undefined) await remove(answerKey(event));
  return token;
}
