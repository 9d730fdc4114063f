import type { OrderHistory } from "../../../../shared/contract/sales.ts";
import { useWords } from "../words.tsx";

const show = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

/** What happened, line by line, with who knew it: order, attempt, page, provider, mail, door. */
export function Entries({ entries }: { entries: OrderHistory["entries"] }) {
  const { texts, format } = useWords();
  const clock = new Intl.DateTimeFormat(format.locale, {
    dateStyle: "short",
    timeStyle: "medium",
  });
  return (
    <ol class="history">
      {entries.map((entry, i) => (
        <li key={i} class={`kind-${entry.kind}`}>
          <time dateTime={entry.at}>{clock.format(new Date(entry.at))}</time>
          <span>
            <b>
              {texts.entryKinds[entry.kind as keyof typeof texts.entryKinds] ?? entry.kind}{" "}
              {entry.what}
            </b>
            <small>
              {Object.entries(entry.details)
                .map(([name, value]) => `${name} ${show(value)}`)
                .join(" · ")}
            </small>
          </span>
        </li>
      ))}
    </ol>
  );
}
