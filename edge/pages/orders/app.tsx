import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { OrderView } from "../../../shared/contract/orders.ts";
import type { PageConfig } from "../kit/api.ts";
import { fill } from "../kit/i18n.ts";
import { Head } from "../shop/parts/head.tsx";
import { Say } from "../shop/parts/lines.tsx";
import { Trouble } from "../shop/parts/trouble.tsx";
import { useWords } from "../shop/words.ts";
import { decidePayment } from "./attempt.ts";
import {
  askMoreTime,
  type Desk,
  type DeskState,
  giveUpOrder,
  payOrder,
  tellLeaving,
} from "./desk.ts";
import { Pay } from "./pay.tsx";
import { PayFrame, type PayProps } from "./pay-frame.tsx";
import { Receipt } from "./receipt.tsx";
import { Tickets } from "./tickets.tsx";
import { useConfig } from "./use-config.ts";
import { useDesk } from "./use-desk.ts";

type Props = {
  order: string;
  /** Only the payment page has it: a card form of the provider's own. */
  CardForm?: (props: PayProps & { stripe: CardConfig }) => JSX.Element;
};
type CardConfig = NonNullable<PageConfig["stripe"]>;

/** The order: pay for it, wait for the truth about the payment, and have its tickets. */
export function OrderApp({ order: id, CardForm }: Props) {
  const { texts } = useWords();
  const { desk, state } = useDesk(id);
  const { order, event, foreign, trouble } = state;
  const isChecking = isUnderWay(state);
  useEffect(() => {
    const what = isChecking ? texts.checking[0] : fill(texts.orderNumber, { id: id.slice(-6) });
    document.title = `${what} · ${event?.name ?? "Sıra"}`;
  }, [isChecking, event, texts]);
  useEffect(() => {
    if (!isChecking) return;
    const leave = () => tellLeaving(desk);
    addEventListener("pagehide", leave);
    return () => removeEventListener("pagehide", leave);
  }, [isChecking, desk]);
  // The payment page is for paying alone: whatever comes of it is shown by the order's own page.
  const isDone = CardForm !== undefined && order !== undefined && order.state !== "pending";
  useEffect(() => {
    if (isDone) location.replace(`/orders/${encodeURIComponent(id)}`);
  }, [isDone, id]);
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
      <Head
        title={isPaid ? texts.paid[0] : (event?.name ?? texts.yourSeats)}
        line={isPaid ? texts.paid[1] : fill(texts.orderNumber, { id: id.slice(-6) })}
        event={event}
      />
      <Trouble code={trouble} event={order.event} />
      <div class="order-body">
        <div class="order-main">
          <Middle
            desk={desk}
            state={state}
            order={order}
            isChecking={isChecking}
            CardForm={CardForm}
          />
        </div>
        <Receipt order={order} state={state} />
      </div>
    </div>
  );
}

/** Something was sent whose end nobody knows yet: no button may be near. */
function isUnderWay({ order, kept, sending }: DeskState): boolean {
  if (order?.state !== "pending") return false;
  const { kind } = decidePayment(order, kept);
  return kind === "checking" || kind === "send" || (sending && kept !== undefined);
}

type MiddleProps = {
  desk: Desk;
  state: DeskState;
  order: OrderView;
  isChecking: boolean;
  CardForm: Props["CardForm"];
};

/** By the simulator's methods here, or by the provider's form on the page that may load it. */
function Paying({ desk, state, order, CardForm }: MiddleProps) {
  const { texts, format } = useWords();
  const config = useConfig();
  const payment = decidePayment(order, state.kept);
  const props: PayProps = {
    order,
    failed: payment.kind === "choose" ? payment.failed : undefined,
    busy: state.sending,
    asking: state.asking === true,
    more: {
      onAsk: () => void askMoreTime(desk),
      busy: state.sending || state.moreTime !== undefined,
      said: state.moreTime,
    },
    onPay: (method) => void payOrder(desk, method),
    onCancel: () => void giveUpOrder(desk),
  };
  if (!config) return <p class="muted">{texts.loading[0]}</p>;
  if (!config.stripe) return <Pay {...props} />;
  if (CardForm) return <CardForm {...props} stripe={config.stripe} />;
  return (
    <PayFrame {...props}>
      <a class="button" href={`/pay/${encodeURIComponent(order.id)}`}>
        {fill(texts.toCard, { total: format.money(order.total) })}
      </a>
    </PayFrame>
  );
}

function Middle(props: MiddleProps) {
  const { desk, state, order, isChecking } = props;
  const { texts } = useWords();
  const { credential } = desk;
  switch (order.state) {
    case "pending":
      return isChecking ? <Checking /> : <Paying {...props} />;
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
  // Refunded though it never had a ticket: the seats were lost, and that has to be explained.
  const isLost = (order.refunds ?? []).length > 0 && (order.tickets ?? []).length === 0;
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
