import type { ComponentChildren } from "preact";
import { fill } from "../kit/i18n.ts";
import { useWords } from "../shop/words.ts";

/** The ticket as it is shown at a door: on its own page, in its order, and in print. */
export type PassFacts = {
  id: string;
  event?: { name: string; venue: string; startsAt: string; timeZone: string } | undefined;
  seat?: { section: string; row: string; number: string } | undefined;
  zone: string;
  holder?: string | undefined;
  state: "valid" | "void" | "used" | "handed_on";
  picture: string | undefined;
};

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

export function Pass(props: { facts: PassFacts; big?: boolean; children?: ComponentChildren }) {
  const { id, event, seat, zone, holder, state, picture } = props.facts;
  const { texts, format } = useWords();
  const stamps = {
    void: texts.ticketVoid,
    used: texts.ticketUsed,
    handed_on: texts.ticket.handedOn,
  };
  return (
    <div class={`pass ${state === "valid" ? "" : "spent"} ${props.big ? "big" : ""}`}>
      <div class="pass-main">
        <p class="pass-event">{event?.name}</p>
        <p>{event?.venue}</p>
        <p>{event ? format.dateTime(event.startsAt, event.timeZone) : ""}</p>
        <dl>
          {seat ? (
            <>
              <Fact name={texts.section} value={seat.section} />
              <Fact name={texts.rowLabel} value={seat.row} />
              <Fact name={texts.seatLabel} value={seat.number} />
            </>
          ) : (
            <Fact name={texts.zoneLabel} value={zone} />
          )}
        </dl>
        {holder === undefined ? null : <p>{fill(texts.ticket.holder, { name: holder })}</p>}
        {state === "valid" ? null : <p class="stamp">{stamps[state]}</p>}
        {props.children}
      </div>
      <div class="pass-code">
        {picture === undefined ? (
          <div class={state === "handed_on" ? "qr none" : "qr"} />
        ) : (
          <img class="qr" src={picture} alt={fill(texts.qrAlt, { code: id })} />
        )}
        <small>{id.slice(-6)}</small>
      </div>
    </div>
  );
}
