import type { SaleFigures } from "../../../../shared/contract/sales.ts";
import { useWords } from "../words.tsx";
import { Age } from "./age.tsx";

export function Money({ sale, now }: { sale: SaleFigures | undefined; now: number }) {
  const { texts, format } = useWords();
  if (sale === undefined) return null;
  const { money, orders } = sale;
  const show = (amount: number) => format.money({ amount, currency: money.currency });
  return (
    <section class="card money">
      <header class="card-head">
        <h2>{texts.money}</h2>
        <Age at={sale.at} now={now} />
      </header>
      <p class="big" data-figure="captured">
        {show(money.captured - money.refunded)}
      </p>
      <dl class="facts">
        <div>
          <dt>{texts.captured}</dt>
          <dd>{show(money.captured)}</dd>
        </div>
        <div>
          <dt>{texts.refunded}</dt>
          <dd>{show(money.refunded)}</dd>
        </div>
        {money.refunding > 0 ? (
          <div>
            <dt>{texts.refunding}</dt>
            <dd>{show(money.refunding)}</dd>
          </div>
        ) : null}
      </dl>
      <h3>{texts.orders}</h3>
      <dl class="facts">
        {Object.entries(orders).map(([state, count]) => (
          <div key={state} data-order-state={state}>
            <dt>{texts.orderStates[state as keyof typeof texts.orderStates] ?? state}</dt>
            <dd>{format.number(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
