import { fill } from "../../kit/i18n.ts";
import { useWords } from "../words.tsx";
import { ageOf, FRESH_MS } from "./decide.ts";

/** How old a figure is. It moves with each look, so that a desk that stands still is seen to. */
export function Age({ at, now }: { at: string | undefined; now: number }) {
  const { texts, format } = useWords();
  const ms = ageOf(at, now);
  if (ms === undefined) return null;
  const isOld = ms > FRESH_MS;
  const seconds = format.number(Math.max(0, Math.round(ms / 100) / 10));
  return (
    <span class={`age ${isOld ? "old" : ""}`} data-age-ms={Math.round(ms)} data-at={at}>
      {fill(isOld ? texts.age.old : texts.age.fresh, { seconds })}
    </span>
  );
}
