import { useEffect, useState } from "preact/hooks";
import type { EventView } from "../../../shared/contract/events.ts";
import type { OrderView, TicketView } from "../../../shared/contract/orders.ts";
import type { Credential } from "../kit/api.ts";
import { save } from "../kit/store.ts";
import { useWords } from "../shop/words.tsx";
import { readPicture, saveBlob, ticketKey } from "../tickets/calls.ts";
import { Pass } from "../tickets/pass.tsx";
import { calendarFile } from "./calendar.ts";

type Props = { order: OrderView; event: EventView | undefined; credential: Credential };

/** `A-7-12` in words; section labels hold no hyphen. */
function seatWords(seat: string, event: EventView | undefined) {
  const [id, row, number] = seat.split("-");
  if (!id || !row || !number) return undefined;
  const section = event?.sections.find((each) => each.id === id)?.name ?? id;
  return { section, row, number };
}

function Ticket(props: {
  ticket: TicketView;
  event: EventView | undefined;
  credential: Credential;
}) {
  const { ticket, event, credential } = props;
  const { id, transferred } = ticket;
  const { texts } = useWords();
  const [picture, setPicture] = useState<string>();
  useEffect(() => {
    if (transferred) return;
    void readPicture(id, credential).then(setPicture);
    // The ticket's own page opens with the order's token, in this browser.
    void save(ticketKey(id), credential);
  }, [id, transferred]);
  const seat = ticket.seat === undefined ? undefined : seatWords(ticket.seat, event);
  const zone = event?.zones.find((each) => each.id === ticket.zone)?.name ?? ticket.zone;
  const state = transferred ? "handed_on" : ticket.state;
  return (
    <li>
      <Pass facts={{ id, event, seat, zone, state, picture }}>
        {state === "valid" ? (
          <a class="pass-link no-print" href={`/tickets/${encodeURIComponent(id)}`}>
            {texts.ticket.open}
          </a>
        ) : null}
      </Pass>
    </li>
  );
}

export function Tickets({ order, event, credential }: Props) {
  const { texts } = useWords();
  const tickets = order.tickets ?? [];
  const saveEvening = () => {
    if (!event) return;
    const file = calendarFile(event, order.id, location.href);
    saveBlob(new Blob([file], { type: "text/calendar" }), `${event.id}.ics`);
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
          <button type="button" class="quiet" onClick={saveEvening}>
            {texts.calendar}
          </button>
        ) : null}
      </div>
    </>
  );
}
