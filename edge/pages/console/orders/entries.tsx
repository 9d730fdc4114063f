import type { OrderHistory } from "../../../../shared/contract/sales.ts";
import { useWords } from "../words.tsx";

const show = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

/** Details that are minor units of the order's currency. */
const MONEY = new Set(["amount", "captured", "refunded"]);

/** What happened, line by line, with who knew it: order, attempt, page, provider, mail, door. */
export function Entries(props: { entries: OrderHistory["entries"]; currency: string | undefined }) {
  const { texts, format } = useWords();
  const { entries, currency } = props;
  const write = (name: string, value: unknown) =>
    MONEY.has(name) && typeof value === "number" && currency !== undefined
      ? format.money({ amount: value, currency })
      : show(value);
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
                .filter(([name]) => name !== "currency")
                .map(([name, value]) => `${name} ${write(name, value)}`)
                .join(" · ")}
            </small>
          </span>
        </li>
      ))}
    </ol>
  );
}
