import { useEffect, useRef } from "preact/hooks";
import { serverNow } from "../kit/clock.ts";
import { showDigits } from "../kit/digits.ts";
import { fill, formatFor } from "../kit/i18n.ts";
import type { Figures } from "./calls.ts";
import { Chart } from "./chart.tsx";
import { texts } from "./texts.ts";

const OLD_MS = 3_000;
const HISTORY_SECONDS = 600;
const format = formatFor("en");
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

export function Age({ at }: { at: string }) {
  const ms = Math.max(0, serverNow() - Date.parse(at));
  const isOld = ms > OLD_MS;
  return (
    <span class={`age ${isOld ? "old" : ""}`}>
      {isOld
        ? fill(texts.age.old, { seconds: format.number(Math.round(ms / 1000)) })
        : texts.age.fresh}
    </span>
  );
}

function Board({ figures }: { figures: Figures }) {
  const lamps = useRef<HTMLDivElement>(null);
  const text = String(figures.calling).padStart(Math.max(4, String(figures.issued).length), " ");
  useEffect(() => {
    if (lamps.current) showDigits(lamps.current, text);
  }, [text]);
  return (
    <section class="board">
      <p class="board-label">{texts.calling}</p>
      <div class="lamps" ref={lamps} role="img" aria-label={format.number(figures.calling)} />
      <p class="board-line">
        {texts.issued}: {format.number(figures.issued)}
      </p>
    </section>
  );
}

function Fact({ name, value, more }: { name: string; value: string; more?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {more === undefined ? null : <small>{more}</small>}
      </dd>
    </div>
  );
}

/** Tickets as one bar: what is free, in baskets, being paid, sold. */
function SeatsBar({ seats }: { seats: NonNullable<Figures["seats"]> }) {
  const parts = [
    ["sold", seats.sold, texts.seatsSold],
    ["paying", seats.paying, texts.seatsPaying],
    ["held", seats.held, texts.seatsHeld],
    ["available", seats.available, texts.seatsAvailable],
  ] as const;
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    parts.forEach(([, count], i) => {
      const part = bar.current?.children[i];
      if (part instanceof HTMLElement) part.style.setProperty("flex-grow", String(count));
    });
  });
  return (
    <section class="card">
      <h3>{texts.seats}</h3>
      <div class="seats-bar" ref={bar} aria-hidden="true">
        {parts.map(([id]) => (
          <i key={id} class={`part-${id}`} />
        ))}
      </div>
      <ul class="seats-key">
        {parts.map(([id, count, text]) => (
          <li key={id}>
            <i class={`part-${id}`} /> <b>{format.number(count)}</b> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function LiveFigures({ figures }: { figures: Figures }) {
  const moments = figures.history.perSecond.slice(-HISTORY_SECONDS);
  const times = moments.map((moment) => moment.at / 1000);
  // Admissions within the minute before each moment.
  const perMinute = moments.map((moment, i) => {
    const before = moments[i - 60];
    return before ? moment.admitted - before.admitted : null;
  });
  const holding = figures.holding;
  const why = holding === undefined ? undefined : Reflect.get(texts.holding, holding);
  return (
    <>
      {figures.stale ? <p class="notice">{texts.stale}</p> : null}
      {typeof why === "string" ? <p class="notice">{why}</p> : null}
      <div class="live">
        <Board figures={figures} />
        <dl class="card facts">
          {figures.phase === "upcoming" || figures.phase === "drawing" ? (
            <Fact name={texts.pool} value={format.number(figures.pool)} />
          ) : (
            <Fact name={texts.waiting} value={format.number(figures.waiting)} />
          )}
          <Fact name={texts.door} value={format.number(figures.door)} />
          <Fact name={texts.inside} value={format.number(figures.inside)} />
          <Fact
            name={texts.perMinute}
            value={format.number(figures.measuredPerMinute)}
            more={fill(texts.ofRate, { rate: format.number(figures.effectivePerMinute) })}
          />
          <Fact name={texts.admitted} value={format.number(figures.admitted)} />
          <Fact name={texts.noShows} value={percent.format(figures.noShowShare)} />
          {figures.letIn > 0 ? (
            <Fact name={texts.letIn} value={format.number(figures.letIn)} />
          ) : null}
          {figures.promises ? (
            <Fact
              name={texts.promises}
              value={percent.format(figures.promises.kept / Math.max(1, figures.promises.made))}
            />
          ) : null}
        </dl>
        {figures.seats ? <SeatsBar seats={figures.seats} /> : null}
      </div>
      {moments.length > 1 ? (
        <div class="charts">
          <Chart
            title={texts.chartPeople}
            times={times}
            series={[
              { label: texts.waiting, colour: "--chart-0", values: moments.map((m) => m.waiting) },
              { label: texts.inside, colour: "--chart-1", values: moments.map((m) => m.inside) },
              {
                label: texts.door,
                colour: "--chart-2",
                values: moments.map((m) => m.door),
                dash: [2, 3],
              },
            ]}
          />
          <Chart
            title={texts.chartRate}
            times={times}
            series={[
              { label: texts.chartRate, colour: "--chart-0", values: perMinute },
              {
                label: texts.rate,
                colour: "--chart-1",
                values: moments.map((m) => m.rate),
                dash: [6, 4],
              },
            ]}
          />
        </div>
      ) : null}
    </>
  );
}
