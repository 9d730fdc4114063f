import { useEffect, useRef } from "preact/hooks";
import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import { showDigits } from "../../kit/digits.ts";
import { fill } from "../../kit/i18n.ts";
import type { Figures } from "../calls/room.ts";
import { useWords } from "../words.tsx";
import { Age } from "./age.tsx";

type Station = {
  id: string;
  name: string;
  value: number;
  more: string;
  /** Of what the station can hold; drawn as its fill. */
  share?: number | undefined;
};

/** The way of a fan, from the line to a ticket, with how many are where and how fast they move on. */
export function Flow({
  figures,
  sale,
  now,
}: {
  figures: Figures;
  sale: SaleFigures | undefined;
  now: number;
}) {
  const { texts, format, percent } = useWords();
  const { number } = format;
  const isEarly = figures.phase === "upcoming" || figures.phase === "drawing";
  const paid = sale?.orders["paid"] ?? 0;
  const stations: Station[] = [
    isEarly
      ? { id: "pool", name: texts.pool, value: figures.pool, more: "" }
      : {
          id: "waiting",
          name: texts.waiting,
          value: figures.waiting,
          more: fill(texts.lastNumber, { number: number(figures.issued) }),
        },
    {
      id: "door",
      name: texts.door,
      value: figures.door,
      more: fill(texts.noShows, { share: percent(figures.noShowShare) }),
    },
    {
      id: "inside",
      name: texts.inside,
      value: figures.inside,
      more: fill(texts.admitted, { number: number(figures.admitted) }),
    },
    {
      id: "holds",
      name: texts.baskets,
      value: sale?.holds.units ?? 0,
      more: fill(texts.paying, { number: number(sale?.holds.paying ?? 0) }),
    },
    {
      id: "orders",
      name: texts.ordersPaid,
      value: paid,
      more: fill(texts.ticketsOut, { number: number(sale?.tickets["valid"] ?? 0) }),
    },
  ];
  return (
    <section class="flow" aria-label={texts.flow}>
      <Board figures={figures} now={now} />
      <div class="stations">
        <Rate figures={figures} />
        <ol>
          {stations.map(({ id, name, value, more }) => (
            <li key={id} class={`station station-${id}`}>
              <span class="station-name">{name}</span>
              <b data-figure={id}>{number(value)}</b>
              <small>{more}</small>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function Board({ figures, now }: { figures: Figures; now: number }) {
  const { texts, format } = useWords();
  const lamps = useRef<HTMLDivElement>(null);
  const text = String(figures.calling).padStart(Math.max(4, String(figures.issued).length), " ");
  useEffect(() => {
    if (lamps.current) showDigits(lamps.current, text);
  }, [text]);
  return (
    <div class="board">
      <p class="board-label">
        {texts.calling}
        <span class={`phase phase-${figures.phase}`}>{texts.phases[figures.phase]}</span>
      </p>
      <div
        class="lamps"
        ref={lamps}
        role="img"
        aria-label={`${texts.calling} ${format.number(figures.calling)}`}
      />
      <p class="board-line">
        <Age at={figures.at} now={now} />
        {figures.rehearsalOf === undefined ? null : <b class="mark">{texts.rehearsal}</b>}
        {figures.letIn === 0 ? null : (
          <span data-figure="letIn">{format.plural(texts.letIn, figures.letIn)}</span>
        )}
      </p>
    </div>
  );
}

/** The rate as a gauge: what comes in, against what may, against what the core could bear. */
function Rate({ figures }: { figures: Figures }) {
  const { texts, format } = useWords();
  const bar = useRef<HTMLDivElement>(null);
  const { measuredPerMinute, effectivePerMinute, ratePerMinute, capacity } = figures;
  const limit = capacity?.limitPerMinute;
  const top = Math.max(1, ratePerMinute * 1.15, measuredPerMinute);
  useEffect(() => {
    bar.current?.style.setProperty("--now", String(Math.min(1, measuredPerMinute / top)));
    bar.current?.style.setProperty("--set", String(Math.min(1, effectivePerMinute / top)));
  });
  return (
    <div class="gauge">
      <p>
        <b data-figure="measured">{format.number(measuredPerMinute)}</b>{" "}
        {fill(texts.perMinuteOf, { rate: format.number(effectivePerMinute) })}
      </p>
      <div class="gauge-bar" ref={bar} aria-hidden="true">
        <i />
        <em />
      </div>
      <p class="muted">
        {limit === undefined
          ? texts.capacityUnknown
          : fill(texts.capacity, { limit: format.number(limit) })}
      </p>
    </div>
  );
}
