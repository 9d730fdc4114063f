import type { ComponentChildren } from "preact";
import type { Money } from "../../../../shared/money.ts";
import { useWords } from "../words.ts";

export type Line = { key: string; text: string; price: Money; quantity: number };

/** What it costs, line by line, and the whole before anybody pays. */
export function Lines({ lines, total }: { lines: Line[]; total: Money }) {
  const { texts, format } = useWords();
  return (
    <dl class="lines">
      {lines.map(({ key, text, price, quantity }) => (
        <div key={key}>
          <dt>{quantity > 1 ? `${format.number(quantity)} × ${text}` : text}</dt>
          <dd>{format.money({ ...price, amount: price.amount * quantity })}</dd>
        </div>
      ))}
      <div class="total">
        <dt>{texts.total}</dt>
        <dd>{format.money(total)}</dd>
      </div>
    </dl>
  );
}

/** A row of seats: where they stand in the picture over such a page. */
const SEATS = [0, 36, 72, 108, 144] as const;

/** A page that has one thing to say. */
export function Say(props: { say: readonly [string, string]; children?: ComponentChildren }) {
  const [headline, body] = props.say;
  return (
    <section class="say-all">
      <svg class="say-seats" viewBox="0 0 172 28" aria-hidden="true">
        {SEATS.map((x) => (
          <rect key={x} x={x} width="28" height="28" rx="8" />
        ))}
      </svg>
      <h1>{headline}</h1>
      <p>{body}</p>
      {props.children ? <div class="actions">{props.children}</div> : null}
    </section>
  );
}
