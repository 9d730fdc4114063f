import { useEffect, useRef } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import { showDigits } from "../../kit/digits.ts";
import type { RoomView } from "../calls/room.ts";
import { useWords } from "../words.tsx";

/** The queue page in small: board, ticket, name and colour as they will be. */
export function BrandingPreview({
  brand,
  event,
}: {
  brand: RoomView["branding"];
  event: EventView;
}) {
  const { plan, texts, format } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const lamps = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.style.setProperty("--accent", brand.accent ?? "");
    if (lamps.current) showDigits(lamps.current, " 128");
  });
  return (
    <div class="queue-preview" ref={box} role="img" aria-label={plan.preview}>
      <p class="queue-top">
        {brand.logo?.startsWith("data:") ? (
          <img src={brand.logo} alt="" height="32" />
        ) : (
          <b>Sıra</b>
        )}
        {brand.link ? <span>{brand.link.text}</span> : null}
      </p>
      <p class="queue-name">{brand.name ?? event.name}</p>
      <p>
        {brand.venue ?? event.venue} · {format.dateTime(event.startsAt, event.timeZone)}
      </p>
      <div class="queue-ticket">
        <span>{plan.yourNumber}</span>
        <b>{format.number(131)}</b>
      </div>
      <div class="board">
        <p class="board-label">{texts.calling}</p>
        <div class="lamps" ref={lamps} />
      </div>
    </div>
  );
}
