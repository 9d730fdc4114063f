import type { ComponentChildren } from "preact";
import { useWords } from "./words.ts";

type Props = {
  name: string;
  startsAt: string;
  timeZone: string;
  note: string;
  /** An entry pass is a paper like the ticket in the line. */
  paper?: boolean;
  children?: ComponentChildren;
};

/** An event as a stub: the date torn off on one side, what it is on the other. */
export function EventStub({ name, startsAt, timeZone, note, paper, children }: Props) {
  const { format } = useWords();
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(format.locale, { ...options, timeZone }).format(new Date(startsAt));
  return (
    <div class={`stub ${paper ? "paper" : ""}`}>
      <div class="date" aria-hidden="true">
        <span>{part({ month: "short" })}</span>
        <b>{part({ day: "numeric" })}</b>
        <span>{part({ weekday: "short" })}</span>
      </div>
      <div class="what">
        <h3>{name}</h3>
        <p>{format.dateTime(startsAt, timeZone)}</p>
        <p class="note">{note}</p>
      </div>
      <div class="do">{children}</div>
    </div>
  );
}
