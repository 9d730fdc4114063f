import type { Format } from "../kit/i18n.ts";
import { fill } from "../kit/i18n.ts";
import type { Verdict } from "./judge.ts";
import type { ScanTexts } from "./texts/en.ts";
import { useWords } from "./words.ts";

/** Why not, in one line. */
function reasonOf(verdict: Verdict, texts: ScanTexts, format: Format): string | undefined {
  switch (verdict.result) {
    case "admitted":
      return undefined;
    case "already":
      return verdict.first
        ? fill(texts.first, {
            time: format.timeOfDay(verdict.first.at),
            gate: verdict.first.gate,
          })
        : texts.firstUnknown;
    case "void":
      return texts.voidWhy;
    case "superseded":
      return texts.supersededWhy;
    case "unknown":
      return texts.unknownWhy;
    case "invalid":
      return texts.invalidWhy;
  }
}

/** Seen from an arm's length away: the colour, the sign and the word all say the same. */
export function VerdictCard({ verdict, count }: { verdict: Verdict | undefined; count: number }) {
  const { texts, format } = useWords();
  if (verdict === undefined)
    return (
      <section class="verdict none" role="status">
        <p class="big">{texts.ready}</p>
      </section>
    );
  const admits = verdict.result === "admitted";
  const { seat, zone, holder, other } = verdict;
  return (
    <section class={`verdict ${admits ? "yes" : "no"}`} key={count} role="alert">
      <span class="sign" aria-hidden="true">
        {admits ? "✓" : "✕"}
      </span>
      <p class="big">{texts.results[verdict.result]}</p>
      {admits ? null : <p class="why">{reasonOf(verdict, texts, format)}</p>}
      {seat !== undefined || zone !== undefined ? (
        <p class="where">{seat === undefined ? zone : fill(texts.seat, { seat })}</p>
      ) : null}
      {holder === undefined ? null : <p>{holder}</p>}
      {other ? (
        <p class="why">
          {fill(texts.alsoAt, { time: format.timeOfDay(other.at), gate: other.gate })}
        </p>
      ) : null}
      {verdict.isOffline ? <p class="small">{texts.checkedHere}</p> : null}
    </section>
  );
}
