import { useEffect } from "preact/hooks";
import type { OrderView } from "../../../shared/contract/orders.ts";
import { fill } from "../kit/i18n.ts";
import { Lines, Say } from "../shop/parts/lines.tsx";
import { Trouble } from "../shop/parts/trouble.tsx";
import { useWords } from "../shop/words.tsx";
import { decidePayment } from "./attempt.ts";
import { type Desk, type DeskState, giveUpOrder, payOrder } from "./desk.ts";
import { linesOfOrder } from "./order-lines.ts";
import { Pay } from "./pay.tsx";
import { Tickets } from "./tickets.tsx";
import { useDesk } from "./use-desk.ts";

/** The order: pay for it, wait for the truth about the payment, and have its tickets. */
export function OrderApp({ order: id }: { order: string }) {
  const { texts } = useWords();
  const { desk, state } = useDesk(id);
  const { order, event, foreign, trouble } = state;
  const isChecking = isUnderWay(state);
  useEffect(() => {
    const what = isChecking ? texts.checking[0] : fill(texts.orderNumber, { id: id.slice(-6) });
    document.title = `${what} · ${event?.name ?? "Sıra"}`;
  }, [isChecking, event, texts]);
  if (foreign)
    return (
      <Say say={texts.foreign}>
        <a class="button" href="/">
          {texts.home}
        </a>
      </Say>
    );
  if (!order)
    return (
      <>
        <Say say={texts.loading} />
        <Trouble code={trouble} />
      </>
    );
  const isPaid = order.state === "paid";
  return (
    <div class="order">
      <div class="shop-head">
        <div>
          <h1>{isPaid ? texts.paid[0] : (event?.name ?? texts.yourSeats)}</h1>
          <p class="muted">
            {isPaid ? texts.paid[1] : fill(texts.orderNumber, { id: id.slice(-6) })}
          </p>
        </div>
      </div>
      <Trouble code={trouble} />
      <Middle desk={desk} state={state} order={order} isChecking={isChecking} />
      <Receipt order={order} state={state} />
    </div>
  );
}

/** Something was sent whose end nobody knows yet: no button may be near. */
function isUnderWay({ order, kept, sending }: DeskState): boolean {
  if (order?.state !== "pending") return false;
  const { kind } = decidePayment(order, kept);
  return kind === "checking" || kind === "send" || (sending && kept !== undefined);
}

type MiddleProps = { desk: Desk; state: DeskState; order: OrderView; isChecking: boolean };

function Middle({ desk, state, order, isChecking }: MiddleProps) {
  const { texts } = useWords();
  const { credential } = desk;
  switch (order.state) {
    case "pending": {
      if (isChecking) return <Checking />;
      const payment = decidePayment(order, state.kept);
      return (
        <Pay
          order={order}
          failed={payment.kind === "choose" ? payment.failed : undefined}
          busy={state.sending}
          onPay={(method) => void payOrder(desk, method)}
          onCancel={() => void giveUpOrder(desk)}
        />
      );
    }
    case "paid":
    case "part_refunded":
      return (
        <>
          {order.state === "paid" ? null : <p class="notice">{texts.part_refunded[1]}</p>}
          {credential ? (
            <Tickets order={order} event={state.event} credential={credential} />
          ) : null}
        </>
      );
    case "expired":
    case "cancelled":
    case "refunded":
      return <Ended order={order} state={order.state} />;
  }
}

function Checking() {
  const { texts } = useWords();
  return (
    <section class="checking" aria-live="polite">
      <div class="pulse" aria-hidden="true" />
      <h2>{texts.checking[0]}</h2>
      <p>{texts.checking[1]}</p>
    </section>
  );
}

function Ended(props: { order: OrderView; state: "expired" | "cancelled" | "refunded" }) {
  const { texts } = useWords();
  const { order, state } = props;
  // Money that came for seats that were gone is on its way back, and that is what matters here.
  const isLost = (order.refunds ?? []).length > 0 && state !== "refunded";
  return (
    <section class="panel">
      <h2>{texts[state][0]}</h2>
      <p>{isLost ? texts.lostRefunded : texts[state][1]}</p>
      <div class="actions">
        <a class="button" href={`/e/${encodeURIComponent(order.event)}`}>
          {texts.toLine}
        </a>
      </div>
    </section>
  );
}

function Receipt({ order, state }: { order: OrderView; state: DeskState }) {
  const { texts, format } = useWords();
  return (
    <section class="panel receipt">
      <h2>{order.state === "paid" ? texts.receipt : texts.yourSeats}</h2>
      <Lines lines={linesOfOrder(order, state.event, texts)} total={order.total} />
      {(order.refunds ?? []).map((refund) => (
        <p key={refund.id} class="muted">
          {fill(texts.refundOf, { amount: format.money(refund.amount) })}
        </p>
      ))}
    </section>
  );
}
