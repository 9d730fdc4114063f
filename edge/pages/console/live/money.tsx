import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import { useWords } from "../words.tsx";
import { Age } from "./age.tsx";
import { Figure } from "./figure.tsx";

export function Money({ sale, now }: { sale: SaleFigures | undefined; now: number }) {
  const { texts, format } = useWords();
  if (sale === undefined) return null;
  const { money, orders } = sale;
  const show = (name: string, amount: number) => (
    <Figure name={name} value={amount}>
      {format.money({ amount, currency: money.currency })}
    </Figure>
  );
  return (
    <section class="card money">
      <header class="card-head">
        <h2>{texts.money}</h2>
        <Age at={sale.at} now={now} />
      </header>
      <p class="big">{show("kept", money.captured - money.refunded)}</p>
      <dl class="facts">
        <div>
          <dt>{texts.captured}</dt>
          <dd>{show("captured", money.captured)}</dd>
        </div>
        <div>
          <dt>{texts.refunded}</dt>
          <dd>{show("refunded", money.refunded)}</dd>
        </div>
        {money.refunding > 0 ? (
          <div>
            <dt>{texts.refunding}</dt>
            <dd>{show("refunding", money.refunding)}</dd>
          </div>
        ) : null}
      </dl>
      <h3>{texts.orders}</h3>
      <dl class="facts">
        {Object.entries(orders).map(([state, count]) => (
          <div key={state} data-order-state={state}>
            <dt>{texts.orderStates[state as keyof typeof texts.orderStates] ?? state}</dt>
            <dd>
              <Figure name={`orders.${state}`} value={count}>
                {format.number(count)}
              </Figure>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
