import { load, remove, save } from "./store.ts";

/** A check that needs a page of its own: what the gate asked for, left for that page by the queue page. */
export type HumanCheck = { siteKey: string; script: string; action: string; cData: string };

const askedKey = (event: string): string => `check:${event}`;

const isText = (value: unknown): value is string => typeof value === "string";

/** What a refused join offers, where it is one for the page of the check. */
export function readHumanCheck(offered: unknown): HumanCheck | undefined {
  if (typeof offered !== "object" || offered === null) return undefined;
  if (Reflect.get(offered, "kind") !== "turnstile") return undefined;
  const of = (name: string): unknown => Reflect.get(offered, name);
  const [siteKey, script, action, cData] = [of("siteKey"), of("script"), of("action"), of("cData")];
  if (!isText(siteKey) || !isText(script) || !isText(action) || !isText(cData)) return undefined;
  return { siteKey, script, action, cData };
}

export const keepHumanCheck = (event: string, check: HumanCheck): Promise<void> =>
  save(askedKey(event), check);

export const humanCheckOf = (event: string): Promise<HumanCheck | undefined> =>
  load<HumanCheck>(askedKey(event));

export const forgetHumanCheck = (event: string): Promise<void> => remove(askedKey(event));
