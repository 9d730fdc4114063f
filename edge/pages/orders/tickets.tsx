import { useEffect, useState } from "preact/hooks";
import type { EventView } from "../../../shared/contract/events.ts";
import type { OrderView, TicketView } from "../../../shared/contract/orders.ts";
import type { Credential } from "../kit/api.ts";
import { save } from "../kit/store.ts";
import { useWords } from "../shop/words.ts";
import { readPicture, saveBlob, ticketKey } from "../tickets/calls.ts";
import { Pass, type PassFacts } from "../tickets/pass.tsx";
import { calendarFile } from "./calendar.ts";
import { printOnly } from "./print.ts";
import { Wallet } from "./wallet.tsx";

type Props = { order: OrderView; event: EventView | undefined; credential: Credential };

/** `A-7-12` in words; section labels hold no hyphen. */
function seatWords(seat: string, event: EventView | undefined) {
  const [id, row, number] = seat.split("-");
  if (!id || !row || !number) return undefined;
  const section = event?.sections.find((each) => each.id === id)?.name ?? id;
  return { section, row, number };
}

function factsOf(
  ticket: TicketView,
  event: EventView | undefined,
  picture: string | undefined,
): PassFacts {
  return {
    id: ticket.id,
    event,
    seat: ticket.seat === undefined ? undefined : seatWords(ticket.seat, event),
    zone: event?.zones.find((each) => each.id === ticket.zone)?.name ?? ticket.zone,
    state: ticket.transferred ? "handed_on" : ticket.state,
    picture,
  };
}

/** The codes of all tickets, each read once; those that were handed on have none for us. */
function usePictures(tickets: readonly TicketView[], credential: Credential) {
  const [pictures, setPictures] = useState<Readonly<Record<string, string>>>({});
  const wanted = tickets.filter(({ transferred }) => !transferred).map(({ id }) => id);
  useEffect(() => {
    for (const id of wanted) {
      void readPicture(id, credential).then((picture) => {
        if (picture !== undefined) setPictures((known) => ({ ...known, [id]: picture }));
      });
      // The ticket's own page opens with the order's token, in this browser.
      void save(ticketKey(id), credential);
    }
  }, [wanted.join()]);
  return pictures;
}

export function Tickets({ order, event, credential }: Props) {
  const { texts } = useWords();
  const tickets = order.tickets ?? [];
  const pictures = usePictures(tickets, credential);
  const [showsWallet, setShowsWallet] = useState(false);
  const shown = tickets.map((ticket) => factsOf(ticket, event, pictures[ticket.id]));
  const valid = shown.filter(({ state }) => state === "valid");
  const saveEvening = () => {
    if (!event) return;
    const file = calendarFile(event, order.id, location.href);
    saveBlob(new Blob([file], { type: "text/calendar" }), `${event.id}.ics`);
  };
  return (
    <section class="tickets">
      {valid.length > 0 ? (
        <div class="actions no-print">
          <button type="button" class="wallet-open" onClick={() => setShowsWallet(true)}>
            {texts.wallet}
          </button>
          {event ? (
            <button type="button" class="quiet" onClick={saveEvening}>
              {texts.calendar}
            </button>
          ) : null}
          <button type="button" class="quiet" onClick={() => printOnly("tickets")}>
            {texts.print}
          </button>
        </div>
      ) : null}
      <ul class="passes">
        {shown.map((facts) => (
          <li key={facts.id}>
            <Pass facts={facts}>
              {facts.state === "valid" ? (
                <a class="pass-link no-print" href={`/tickets/${encodeURIComponent(facts.id)}`}>
                  {texts.ticket.open}
                </a>
              ) : null}
            </Pass>
          </li>
        ))}
      </ul>
      {showsWallet ? (
        <Wallet
          onClose={() => setShowsWallet(false)}
          tickets={valid.map((facts) => ({ id: facts.id, pass: <Pass big facts={facts} /> }))}
        />
      ) : null}
    </section>
  );
}
