import type { ComponentChildren } from "preact";
import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import { fill } from "../../kit/i18n.ts";
import type { Figures } from "../calls/room.ts";
import { useWords } from "../words.tsx";
import { Age } from "./age.tsx";
import type { Health as Verdict } from "./decide.ts";
import { Figure, Says } from "./figure.tsx";
import { verdictsOf } from "./verdicts.ts";

const MARKS: Readonly<Record<Verdict, string>> = { good: "✓", slow: "!", bad: "×", unknown: "?" };

/** Which part of the house is in trouble; each with a mark, a word and its age. */
export function Health({
  figures,
  sale,
  now,
}: {
  figures: Figures;
  sale: SaleFigures | undefined;
  now: number;
}) {
  const { texts, format } = useWords();
  const verdicts = verdictsOf(figures, sale, now);
  const health = sale?.health;
  const count = (name: string, value: number) => (
    <Figure name={name} value={value}>
      {format.number(value)}
    </Figure>
  );
  const ms = (name: string, value: number | undefined) =>
    value === undefined ? (
      "–"
    ) : (
      <Figure name={name} value={value}>
        {fill(texts.ms, { ms: format.number(Math.round(value)) })}
      </Figure>
    );
  const rows: { id: keyof typeof verdicts; more: ComponentChildren; at: string | undefined }[] = [
    { id: "store", more: figures.store.trouble ?? null, at: figures.store.at },
    {
      id: "database",
      more: (
        <Says
          text={texts.databaseMore}
          parts={{
            answered: ms("answeredMs", health?.database.answeredMs),
            busy: count("busy", health?.database.busy ?? 0),
            all: count("connections", health?.database.connections ?? 0),
          }}
        />
      ),
      at: sale?.at,
    },
    { id: "locks", more: null, at: sale?.at },
    { id: "cache", more: null, at: sale?.at },
    {
      id: "core",
      more: (
        <Says
          text={texts.coreMore}
          parts={{
            p95: ms("p95Ms", figures.capacity?.p95Ms),
            flying: count("inFlight", figures.capacity?.inFlight ?? 0),
          }}
        />
      ),
      at: figures.capacity?.at,
    },
    {
      id: "errors",
      more: (
        <Says
          text={texts.errorsMore}
          parts={{
            count: count("errors", health?.requests.errors ?? 0),
            minutes: count("withinMinutes", Math.round((health?.requests.withinS ?? 300) / 60)),
          }}
        />
      ),
      at: sale?.at,
    },
    {
      id: "payments",
      more: (
        <Says
          text={texts.paymentsMore}
          parts={{
            unknown: count("unknown", sale?.payments.unknown ?? 0),
            review: count("review", sale?.payments.review ?? 0),
          }}
        />
      ),
      at: sale?.at,
    },
  ];
  return (
    <section class="card health">
      <header class="card-head">
        <h2>{texts.health}</h2>
      </header>
      <ul>
        {rows.map(({ id, more, at }) => (
          <li key={id} class={`verdict-${verdicts[id]}`} data-health={id}>
            <i aria-hidden="true">{MARKS[verdicts[id]]}</i>
            <span>
              <b>{texts.healthOf[id]}</b> {texts.verdicts[verdicts[id]]}
              {more === null ? null : <small>{more}</small>}
            </span>
            <Age at={at} now={now} />
          </li>
        ))}
      </ul>
    </section>
  );
}
