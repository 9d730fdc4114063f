import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import { fill } from "../../kit/i18n.ts";
import type { Figures } from "../calls/room.ts";
import { useWords } from "../words.tsx";
import { Age } from "./age.tsx";
import type { Health as Verdict } from "./decide.ts";
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
  const number = format.number;
  const verdicts = verdictsOf(figures, sale, now);
  const health = sale?.health;
  const ms = (value: number | undefined) =>
    value === undefined ? "–" : fill(texts.ms, { ms: number(Math.round(value)) });
  const rows: { id: keyof typeof verdicts; more: string; at: string | undefined }[] = [
    { id: "store", more: figures.store.trouble ?? "", at: figures.store.at },
    {
      id: "database",
      more: fill(texts.databaseMore, {
        answered: ms(health?.database.answeredMs),
        busy: number(health?.database.busy ?? 0),
        all: number(health?.database.connections ?? 0),
      }),
      at: sale?.at,
    },
    { id: "locks", more: "", at: sale?.at },
    { id: "cache", more: "", at: sale?.at },
    {
      id: "core",
      more: fill(texts.coreMore, {
        p95: ms(figures.capacity?.p95Ms),
        flying: number(figures.capacity?.inFlight ?? 0),
      }),
      at: figures.capacity?.at,
    },
    {
      id: "errors",
      more: fill(texts.errorsMore, {
        count: number(health?.requests.errors ?? 0),
        minutes: number(Math.round((health?.requests.withinS ?? 300) / 60)),
      }),
      at: sale?.at,
    },
    {
      id: "payments",
      more: fill(texts.paymentsMore, {
        unknown: number(sale?.payments.unknown ?? 0),
        review: number(sale?.payments.review ?? 0),
      }),
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
              {more === "" ? null : <small>{more}</small>}
            </span>
            <Age at={at} now={now} />
          </li>
        ))}
      </ul>
    </section>
  );
}
