import type { ComponentChildren } from "preact";
import type { EventView } from "../../../../shared/contract/events.ts";
import { useWords } from "../words.ts";

type Props = {
  title: string;
  line: string;
  /** Whose day is torn off beside the title. */
  event: EventView | undefined;
  children?: ComponentChildren;
};

/** What page this is: the evening as a leaf of a calendar, its name, and a line below. */
export function Head({ title, line, event, children }: Props) {
  return (
    <div class="shop-head">
      {event ? <Leaf event={event} /> : null}
      <div class="shop-title">
        <h1>{title}</h1>
        <p class="muted">{line}</p>
      </div>
      {children}
    </div>
  );
}

/** The date is said in the line too, so that this is only to be looked at. */
function Leaf({ event: { startsAt, timeZone } }: { event: EventView }) {
  const { format } = useWords();
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(format.locale, { ...options, timeZone }).format(new Date(startsAt));
  return (
    <div class="leaf" aria-hidden="true">
      <span>{part({ month: "short" })}</span>
      <b>{part({ day: "numeric" })}</b>
      <small>{part({ weekday: "short" })}</small>
    </div>
  );
}
