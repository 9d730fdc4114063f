import { useEffect, useRef } from "preact/hooks";
import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import { useWords } from "../words.tsx";
import { Age } from "./age.tsx";
import { Figure } from "./figure.tsx";

const PARTS = ["sold", "held", "available", "blocked"] as const;

/** What is left at each price, as a bar each. */
export function Prices({ sale, now }: { sale: SaleFigures | undefined; now: number }) {
  const { texts } = useWords();
  if (sale === undefined) return null;
  return (
    <section class="card">
      <header class="card-head">
        <h2>{texts.byPrice}</h2>
        <Age at={sale.at} now={now} />
      </header>
      <ul class="prices">
        {sale.zones.map((zone) => (
          <Price key={zone.id} zone={zone} />
        ))}
      </ul>
    </section>
  );
}

function Price({ zone }: { zone: SaleFigures["zones"][number] }) {
  const { texts, format } = useWords();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    PARTS.forEach((part, i) => {
      const piece = bar.current?.children[i];
      if (piece instanceof HTMLElement) piece.style.setProperty("flex-grow", String(zone[part]));
    });
  });
  return (
    <li data-zone={zone.id}>
      <p>
        <b>{zone.name}</b>{" "}
        <Figure name={`${zone.id}.price`} value={zone.price.amount}>
          {format.money(zone.price)}
        </Figure>
      </p>
      <div class="seats-bar" ref={bar} aria-hidden="true">
        {PARTS.map((part) => (
          <i key={part} class={`part-${part}`} />
        ))}
      </div>
      <p class="muted">
        {PARTS.filter((part) => part !== "blocked" || zone.blocked > 0).map((part) => (
          <span key={part} class="part">
            <b data-part={part}>
              <Figure name={`${zone.id}.${part}`} value={zone[part]}>
                {format.number(zone[part])}
              </Figure>
            </b>{" "}
            {texts.parts[part]}
          </span>
        ))}
      </p>
    </li>
  );
}
