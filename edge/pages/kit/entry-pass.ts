import { load, save } from "./store.ts";

/** The entry pass of a registered person, left by the account page for the queue page. */

type KeptPass = { pass: string; expiresAt: string };

const passKey = (event: string): string => `pass:${event}`;

export const keepPass = (event: string, pass: KeptPass): Promise<void> =>
  save(passKey(event), pass);

/** A pass that has ended is none: the account page gives a fresh one for the asking. */
export async function readPass(event: string, now: number): Promise<string | undefined> {
  const kept = await load<KeptPass>(passKey(event));
  return kept !== undefined && Date.parse(kept.expiresAt) > now ? kept.pass : undefined;
}
