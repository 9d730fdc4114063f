import { useEffect, useState } from "preact/hooks";
import type { EventView } from "../../../shared/contract/events.ts";
import type { OrderView, TicketView } from "../../../shared/contract/orders.ts";
import type { Credential } from "../kit/api.ts";
import { fill } from "../kit/i18n.ts";
import { useWords } from "../shop/words.tsx";
import { calendarFile } from "./calendar.ts";
import { readPicture } from "./calls.ts";

type Props = { order: OrderView; event: EventView | undefined; credential: Credential };

/** `A-7-12` in words; section labels hold no hyphen. */
function seatWords(seat: string): { section: string; row: string; number: string } | undefined {
  const [section, row, number] = seat.split("-");
  return section && row && number ? { section, row, number } : undefined;
}

function Ticket(props: {
  ticket: TicketView;
  event: EventView | undefined;
  credential: Credential;
}) {
  const { ticket, event, credential } = props;
  const { texts, format } = useWords();
  const [picture, setPicture] = useState<string>();
  useEffect(() => {
    void readPicture(ticket.id, credential).then(setPicture);
  }, [ticket.id]);
  const zone = event?.zones.find(({ id }) => id === ticket.zone)?.name ?? ticket.zone;
  const seat = ticket.seat === undefined ? undefined : seatWords(ticket.seat);
  const section = event?.sections.find(({ id }) => id === seat?.section)?.name ?? seat?.section;
  const isValid = ticket.state === "valid";
  return (
    <li class={`pass ${isValid ? "" : "spent"}`}>
      <div class="pass-main">
        <p class="pass-event">{event?.name}</p>
        <p>{event ? `${event.venue}` : ""}</p>
        <p>{event ? format.dateTime(event.startsAt, event.timeZone) : ""}</p>
        <dl>
          {seat ? (
            <>
              <div>
                <dt>{texts.section}</dt>
                <dd>{section}</dd>
              </div>
              <div>
                <dt>{texts.rowLabel}</dt>
                <dd>{seat.row}</dd>
              </div>
              <div>
                <dt>{texts.seatLabel}</dt>
                <dd>{seat.number}</dd>
              </div>
            </>
          ) : (
            <div>
              <dt>{texts.zoneLabel}</dt>
              <dd>{zone}</dd>
            </div>
          )}
        </dl>
        {isValid ? null : (
          <p class="stamp">{ticket.state === "void" ? texts.ticketVoid : texts.ticketUsed}</p>
        )}
      </div>
      <div class="pass-code">
        {picture === undefined ? (
          <div class="qr" />
        ) : (
          <img class="qr" src={picture} alt={fill(texts.qrAlt, { code: ticket.id })} />
        )}
        <small>{ticket.id.slice(-6)}</small>
      </div>
    </li>
  );
}

export function Tickets({ order, event, credential }: Props) {
  const { texts } = useWords();
  const tickets = order.tickets ?? [];
  const save = () => {
    if (!event) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(
      new Blob([calendarFile(event, order.id, location.href)], { type: "text/calendar" }),
    );
    link.download = `${event.id}.ics`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <ul class="passes">
        {tickets.map((ticket) => (
          <Ticket key={ticket.id} ticket={ticket} event={event} credential={credential} />
        ))}
      </ul>
      <div class="actions no-print">
        <button type="button" class="quiet" onClick={() => print()}>
          {texts.print}
        </button>
        {event ? (
          <button type="button" class="quiet" onClick={save}>
            {texts.calendar}
          </button>
        ) : null}
      </div>
    </>
  );
}
