import { formatFor } from "../kit/i18n.ts";
import type { LogEntry } from "./calls.ts";
import { texts } from "./texts.ts";

const format = formatFor("en");
const seconds = new Intl.DateTimeFormat(format.locale, { timeStyle: "medium" });
const VALUE_CHARS = 160;

/** What changed, as short as it can be told. */
function changeOf({ before, after }: LogEntry): string {
  const show = (value: unknown) =>
    value === null || value === undefined ? "" : JSON.stringify(value);
  const text = [show(before), show(after)].filter((part) => part !== "").join(" → ");
  return text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS)}…` : text;
}

export function AuditLog({ entries }: { entries: LogEntry[] }) {
  return (
    <section class="card">
      <h3>{texts.log}</h3>
      <ul class="rows">
        {entries.map((entry) => (
          <li key={entry.id}>
            <span>
              <b>{entry.action}</b> {entry.reason}
              <small>
                {seconds.format(new Date(entry.at))} · {entry.actor}
              </small>
              <small class="change">{changeOf(entry)}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
