// Signing keys: which are published, which sign, how old they are.
import { z } from "zod";
import { bad, type Finding, good, look } from "./finding.ts";

const AGE_DAYS_LOOK = 180;
const DAY_MS = 86_400_000;

const publishedSchema = z.object({
  keys: z.array(z.object({ kid: z.string(), "sira:use": z.string(), d: z.undefined().optional() })),
});

export type KeySide = { readonly side: "gate" | "core"; readonly uses: readonly string[] };
export type PublishedKid = { readonly kid: string; readonly use: string };

export const GATE_SIDE: KeySide = { side: "gate", uses: ["place", "admission", "service"] };
export const CORE_SIDE: KeySide = {
  side: "core",
  uses: ["organizer", "service", "pass", "ticket", "order"],
};

/** Pure. A key made by `npm run keys` has the day of its making in its name. */
export function judgeKeys(side: KeySide, keys: readonly PublishedKid[], now: number): Finding[] {
  const part = `keys of the ${side.side}`;
  const missing = side.uses.filter((use) => !keys.some((key) => key.use === use));
  if (missing.length > 0)
    return [
      bad(part, `none published for ${missing.join(", ")}`, "npm run keys makes a whole set"),
    ];
  const ages = side.uses.map((use) => {
    const days = keys.filter((key) => key.use === use).map(({ kid }) => ageDays(kid, now));
    return { use, days: Math.min(...days) };
  });
  const old = ages.filter(({ days }) => days > AGE_DAYS_LOOK);
  if (old.length > 0)
    return old.map(({ use, days }) =>
      look(
        part,
        `the newest for ${use} is ${Math.floor(days)} days old`,
        "npm run keys -- --rotate",
      ),
    );
  const oldest = Math.max(...ages.map(({ days }) => days));
  const age = Number.isFinite(oldest)
    ? `the oldest in use is ${Math.floor(oldest)} days old`
    : "their age is unknown";
  return [good(part, `${keys.length} published; ${age}`)];
}

/** `use-2026-11-30-…`; a name of another form says nothing about its age. */
function ageDays(kid: string, now: number): number {
  const day = /(\d{4}-\d{2}-\d{2})/.exec(kid)?.[1];
  return day === undefined ? 0 : Math.max(0, (now - Date.parse(day)) / DAY_MS);
}

export async function readPublished(origin: string): Promise<PublishedKid[]> {
  const url = `${origin}/.well-known/jwks.json`;
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const { keys } = publishedSchema.parse(await response.json());
  return keys.map(({ kid, "sira:use": use }) => ({ kid, use }));
}
