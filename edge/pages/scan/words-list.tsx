import { fill } from "../kit/i18n.ts";
import type { DoorState } from "./door.ts";
import { useWords } from "./words.ts";

/** What the server said afterwards about people who were let in without it. */
export function Words({ words, onClear }: { words: DoorState["words"]; onClear: () => void }) {
  const { texts, format } = useWords();
  if (words.length === 0) return null;
  return (
    <section class="after" role="alert">
      <h2>{texts.wordsTitle}</h2>
      <p>{texts.wordsBody}</p>
      <ul>
        {words.map(({ id, result, seat, zone, holder, first, other, readAt }) => (
          <li key={id}>
            <b>{result === "admitted" ? (seat ?? zone) : texts.results[result]}</b>{" "}
            {[result === "admitted" ? undefined : (seat ?? zone), holder]
              .filter(Boolean)
              .join(" · ")}
            <small>
              {fill(texts.wordAt, { time: format.timeOfDay(readAt) })}
              {first
                ? ` · ${fill(texts.first, { time: format.timeOfDay(first.at), gate: first.gate })}`
                : ""}
              {other
                ? ` · ${fill(texts.alsoAt, { time: format.timeOfDay(other.at), gate: other.gate })}`
                : ""}
            </small>
          </li>
        ))}
      </ul>
      <button type="button" class="quiet" onClick={onClear}>
        {texts.clear}
      </button>
    </section>
  );
}
