import { useEffect, useState } from "preact/hooks";
import type { TicketPage } from "../../../shared/contract/tickets.ts";
import { fill } from "../kit/i18n.ts";
import { Head } from "../shop/parts/head.tsx";
import { Say } from "../shop/parts/lines.tsx";
import { Trouble } from "../shop/parts/trouble.tsx";
import { useWords } from "../shop/words.ts";
import { saveFile } from "./calls.ts";
import { HandOn } from "./hand-on.tsx";
import { Pass } from "./pass.tsx";
import { useTicket } from "./use-ticket.ts";

function seatOf({ section, row, number }: TicketPage) {
  return section === undefined || row === undefined || number === undefined
    ? undefined
    : { section, row, number: String(number) };
}

/** One ticket, for whoever holds it: to be shown at the door, or handed on. */
export function TicketApp({ ticket: id }: { ticket: string }) {
  const { texts } = useWords();
  const words = texts.ticket;
  const { state, send, credential, tell } = useTicket(id);
  const [email, setEmail] = useState("");
  const { page, picture, trouble, end, busy } = state;
  useEffect(() => {
    document.title = `${words.title} · ${page?.event.name ?? "Sıra"}`;
  }, [page, words]);
  if (end === "handed_on") {
    const [headline, body] = words.done;
    return <Say say={[headline, fill(body, { email })]} />;
  }
  if (end === "not_yours") return <Say say={words.notYours} />;
  if (!page)
    return (
      <>
        <Say say={texts.loading} />
        <Trouble code={trouble} />
      </>
    );
  const download = async (suffix: "pdf" | "ics") => {
    const shown = credential();
    if (shown && !(await saveFile(id, shown, suffix))) tell({ trouble: "unavailable" });
  };
  const { event, zone, holder, state: of } = page;
  return (
    <div class="order alone">
      <Head title={words.title} line={of === "valid" ? words.show : ""} event={undefined} />
      <Trouble code={trouble} />
      <Pass big facts={{ id, event, seat: seatOf(page), zone, holder, state: of, picture }} />
      <div class="actions no-print">
        <button type="button" class="quiet" onClick={() => void download("ics")}>
          {texts.calendar}
        </button>
        <button type="button" class="quiet" onClick={() => void download("pdf")}>
          {words.pdf}
        </button>
      </div>
      {of === "valid" ? (
        <HandOn
          busy={busy}
          onSend={(to) => {
            setEmail(to.email);
            void send(to);
          }}
        />
      ) : null}
    </div>
  );
}
