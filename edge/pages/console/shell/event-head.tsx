import type { EventView } from "../../../../shared/contract/events.ts";
import { useWords } from "../words.tsx";

export function EventHead({ event }: { event: EventView }) {
  const { texts, format } = useWords();
  return (
    <header class="event-head">
      <h1>{event.name}</h1>
      <p class="muted">
        {event.venue} · {format.dateTime(event.startsAt, event.timeZone)}
      </p>
      <p class="links">
        <a href={`/e/${event.id}`}>{texts.queuePage}</a>
        <a href={`/shop/${event.id}`}>{texts.shopPage}</a>
        <a href={`/verify/${event.id}`}>{texts.drawPage}</a>
      </p>
    </header>
  );
}
