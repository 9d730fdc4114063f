import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import { showDigits } from "../../kit/digits.ts";
import type { Figures } from "../calls/room.ts";
import { useWords } from "../words.tsx";
import { Age } from "./age.tsx";
import { countedAt } from "./decide.ts";
import { Figure, Says } from "./figure.tsx";

type Station = {
  id: string;
  name: string;
  value: number;
  more: ComponentChildren;
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
  const count = (name: string, value: number) => (
    <Figure name={name} value={value}>
      {format.number(value)}
    </Figure>
  );
  const isEarly = figures.phase === "upcoming" || figures.phase === "drawing";
  const paid = sale?.orders["paid"] ?? 0;
  const stations: Station[] = [
    isEarly
      ? { id: "pool", name: texts.pool, value: figures.pool, more: null }
      : {
          id: "waiting",
          name: texts.waiting,
          value: figures.waiting,
          more: (
            <Says text={texts.lastNumber} parts={{ number: count("issued", figures.issued) }} />
          ),
        },
    {
      id: "door",
      name: texts.door,
      value: figures.door,
      more: (
        <Says
          text={texts.noShows}
          parts={{
            share: (
              <Figure name="noShowShare" value={figures.noShowShare}>
                {percent(figures.noShowShare)}
              </Figure>
            ),
          }}
        />
      ),
    },
    {
      id: "inside",
      name: texts.inside,
      value: figures.inside,
      more: <Says text={texts.admitted} parts={{ number: count("admitted", figures.admitted) }} />,
    },
    {
      id: "holds",
      name: texts.baskets,
      value: sale?.holds.units ?? 0,
      more: (
        <Says text={texts.paying} parts={{ number: count("paying", sale?.holds.paying ?? 0) }} />
      ),
    },
    {
      id: "orders",
      name: texts.ordersPaid,
      value: paid,
      more: (
        <Says
          text={texts.ticketsOut}
          parts={{ number: count("tickets", sale?.tickets["valid"] ?? 0) }}
        />
      ),
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
              <b>{count(id, value)}</b>
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
        data-figure="calling"
        data-value={figures.calling}
        role="img"
        aria-label={`${texts.calling} ${format.number(figures.calling)}`}
      />
      <p class="board-line">
        <Age at={countedAt(figures)} now={now} />
        {figures.rehearsalOf === undefined ? null : <b class="mark">{texts.rehearsal}</b>}
        {figures.letIn === 0 ? null : (
          <Figure name="letIn" value={figures.letIn}>
            {format.plural(texts.letIn, figures.letIn)}
          </Figure>
        )}
      </p>
    </div>
  );
}

/** The rate as a gauge: what comes in, against what may, against what the core could bear. */
function Rate({ figures }: { figures: Figures }) {
  const { texts, format } = useWords();
  const bar = useRef<HTMLDivElement>(null);
  const count = (name: string, value: number) => (
    <Figure name={name} value={value}>
      {format.number(value)}
    </Figure>
  );
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
        <b>{count("measured", measuredPerMinute)}</b>{" "}
        <Says text={texts.perMinuteOf} parts={{ rate: count("effective", effectivePerMinute) }} />
      </p>
      <div class="gauge-bar" ref={bar} aria-hidden="true">
        <i />
        <em />
      </div>
      <p class="muted">
        {limit === undefined ? (
          texts.capacityUnknown
        ) : (
          <Says text={texts.capacity} parts={{ limit: count("capacity", limit) }} />
        )}
      </p>
    </div>
  );
}
