import { useEffect, useRef, useState } from "preact/hooks";
import type { EventView } from "../../../shared/contract/events.ts";
import type { OrderView } from "../../../shared/contract/orders.ts";
import type { Credential } from "../kit/api.ts";
import { holdKey, type KeptOrder, orderCredential, orderKey } from "../kit/core.ts";
import { fill } from "../kit/i18n.ts";
import { load, remove, save } from "../kit/store.ts";
import { codeOf, type TroubleCode } from "../shop/parts/failure.ts";
import { type Line, Lines, Say } from "../shop/parts/lines.tsx";
import { Trouble } from "../shop/parts/trouble.tsx";
import { useWords } from "../shop/words.tsx";
import { decidePayment, isOver, type KeptAttempt } from "./attempt.ts";
import { cancelOrder, readEvent, readOrder, sendAttempt, tellPage } from "./calls.ts";
import { Pay } from "./pay.tsx";
import { Tickets } from "./tickets.tsx";

const attemptKey = (order: string) => `attempt:${order}`;
const LOOK_MS = 2_500;
const LOOK_MS_MAX = 10_000;
const IDLE_LOOK_MS = 15_000;
/** Also a refusal that comes at once leaves the button shut this long: a double click is one press. */
const PRESS_MS = 1_200;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type State = {
  order?: OrderView;
  kept?: KeptAttempt | undefined;
  /** Our own request is on its way at this moment. */
  sending: boolean;
  foreign: boolean;
  looks: number;
};

/** The order: pay for it, wait for the truth about the payment, and have its tickets. */
export function OrderApp({ order: id }: { order: string }) {
  const { texts, format } = useWords();
  const [state, setState] = useState<State>({ sending: false, foreign: false, looks: 0 });
  const [event, setEvent] = useState<EventView>();
  const [trouble, setTrouble] = useState<TroubleCode>();
  const credential = useRef<Credential | undefined>(undefined);
  const pressed = useRef(false);

  const look = async (): Promise<OrderView | undefined> => {
    const mine = credential.current;
    if (!mine) return undefined;
    const reply = await readOrder(id, mine);
    if (reply.kind !== "ok") {
      const isForeign = reply.kind === "problem" && (reply.status === 401 || reply.status === 404);
      setState((old) => ({ ...old, foreign: isForeign && !old.order, looks: old.looks + 1 }));
      if (!isForeign) setTrouble(codeOf(reply));
      return undefined;
    }
    setTrouble((old) => (old === "network" || old === "unavailable" ? undefined : old));
    let kept = await load<KeptAttempt>(attemptKey(id));
    if (kept && isOver(reply.data, kept)) {
      await remove(attemptKey(id));
      kept = undefined;
    }
    if (reply.data.state !== "pending") await remove(holdKey(reply.data.event));
    setState((old) => ({ ...old, order: reply.data, kept, looks: old.looks + 1 }));
    return reply.data;
  };

  useEffect(() => {
    const open = async () => {
      credential.current = await orderCredential(id);
      const kept = await load<KeptOrder>(orderKey(id));
      if (!credential.current || !kept) {
        setState((old) => ({ ...old, foreign: true }));
        return;
      }
      const [, reply] = await Promise.all([look(), readEvent(kept.event)]);
      if (reply.kind === "ok") setEvent(reply.data);
    };
    void open();
  }, [id]);

  const send = async (attempt: KeptAttempt, isResume: boolean) => {
    const mine = credential.current;
    if (!mine || pressed.current) return;
    pressed.current = true;
    void tellPage(id, mine, isResume ? "resumed" : "pressed");
    setState((old) => ({ ...old, sending: true }));
    const [reply] = await Promise.all([sendAttempt(id, mine, attempt, isResume), pause(PRESS_MS)]);
    if (reply.kind === "problem") {
      const code = codeOf(reply);
      if (code !== "attempt_in_flight" && code !== "payment_failed") setTrouble(code);
      // The core has judged this request for good: the next press is a new attempt.
      const isFinal =
        code === "idempotency_key_reused" ||
        code === "hold_expired" ||
        code === "hold_too_short" ||
        code === "order_not_payable";
      if (isFinal) await remove(attemptKey(id));
    }
    await look();
    pressed.current = false;
    setState((old) => ({ ...old, sending: false }));
  };

  /** First what became of the last attempt, then one of our own, stored before it is sent. */
  const pay = async (method: string) => {
    if (pressed.current) {
      if (credential.current) void tellPage(id, credential.current, "pressed_again");
      return;
    }
    setTrouble(undefined);
    setState((old) => ({ ...old, sending: true }));
    const order = await look();
    const kept = await load<KeptAttempt>(attemptKey(id));
    const payment = order && decidePayment(order, kept);
    if (!order || payment?.kind !== "choose") {
      setState((old) => ({ ...old, sending: false }));
      return;
    }
    const { length: before } = order.attempts;
    const origin = before === 0 ? "press" : "retry_after_error";
    const attempt: KeptAttempt = { key: crypto.randomUUID(), method, origin, before };
    await save(attemptKey(id), attempt);
    await send(attempt, false);
  };

  const cancel = async () => {
    const mine = credential.current;
    if (!mine || pressed.current) return;
    const reply = await cancelOrder(id, mine);
    if (reply.kind !== "ok") setTrouble(codeOf(reply));
    await look();
  };

  const { order, kept, sending, foreign, looks } = state;
  const payment = order ? decidePayment(order, kept) : undefined;
  // Whatever is under way resolves by itself: look again, more rarely the longer it takes.
  useEffect(() => {
    if (foreign || sending) return;
    if (payment?.kind === "send") {
      void send(payment.attempt, true);
      return;
    }
    const needsLook =
      !payment ||
      payment.kind === "checking" ||
      order?.state === "pending" ||
      (order?.state === "paid" && !order.tickets?.length);
    if (!needsLook) return;
    const isIdle = payment?.kind === "choose";
    const ms = isIdle ? IDLE_LOOK_MS : Math.min(LOOK_MS_MAX, LOOK_MS * 1.15 ** Math.min(looks, 20));
    const timer = setTimeout(() => void look(), ms * (0.9 + Math.random() * 0.2));
    return () => clearTimeout(timer);
  }, [looks, sending, foreign, payment?.kind]);

  useEffect(() => {
    const isUnderWay = payment?.kind === "checking" || sending;
    document.title = `${isUnderWay ? texts.checking[0] : fill(texts.orderNumber, { id: id.slice(-6) })} · ${event?.name ?? "Sıra"}`;
  }, [payment?.kind, sending, event, texts]);

  if (foreign)
    return (
      <Say say={texts.foreign}>
        <a class="button" href="/">
          {texts.home}
        </a>
      </Say>
    );
  if (!order || !payment || !credential.current)
    return (
      <>
        <Say say={texts.loading} />
        <Trouble code={trouble} />
      </>
    );
  const lines: Line[] = order.lines.map((line) => ({
    key: `${line.kind}-${line.id}`,
    text: lineText(line, event, texts),
    price: line.price,
    quantity: line.quantity,
  }));
  const isChecking =
    payment.kind === "checking" || payment.kind === "send" || (sending && kept !== undefined);
  return (
    <div class="order">
      <div class="shop-head">
        <div>
          <h1>{order.state === "paid" ? texts.paid[0] : (event?.name ?? texts.yourSeats)}</h1>
          <p class="muted">
            {order.state === "paid" ? texts.paid[1] : fill(texts.orderNumber, { id: id.slice(-6) })}
          </p>
        </div>
      </div>
      <Trouble code={trouble} />
      {order.state === "pending" && isChecking ? (
        <section class="checking" aria-live="polite">
          <div class="pulse" aria-hidden="true" />
          <h2>{texts.checking[0]}</h2>
          <p>{texts.checking[1]}</p>
        </section>
      ) : null}
      {order.state === "pending" && !isChecking ? (
        <Pay
          order={order}
          failed={payment.kind === "choose" ? payment.failed : undefined}
          busy={sending}
          onPay={(method) => void pay(method)}
          onCancel={() => void cancel()}
        />
      ) : null}
      {order.state === "paid" || order.state === "part_refunded" ? (
        <Tickets order={order} event={event} credential={credential.current} />
      ) : null}
      {order.state === "part_refunded" ? <p class="notice">{texts.part_refunded[1]}</p> : null}
      {order.state === "expired" || order.state === "cancelled" || order.state === "refunded" ? (
        <section class="panel">
          <h2>{texts[order.state][0]}</h2>
          <p>
            {(order.refunds ?? []).length > 0 && order.state !== "refunded"
              ? texts.lostRefunded
              : texts[order.state][1]}
          </p>
          <div class="actions">
            <a class="button" href={`/e/${encodeURIComponent(order.event)}`}>
              {texts.toLine}
            </a>
          </div>
        </section>
      ) : null}
      <section class="panel receipt">
        <h2>{order.state === "paid" ? texts.receipt : texts.yourSeats}</h2>
        <Lines lines={lines} total={order.total} />
        {(order.refunds ?? []).map((refund) => (
          <p key={refund.id} class="muted">
            {fill(texts.refundOf, { amount: format.money(refund.amount) })}
          </p>
        ))}
      </section>
    </div>
  );
}

function lineText(
  line: OrderView["lines"][number],
  event: EventView | undefined,
  texts: ReturnType<typeof useWords>["texts"],
): string {
  switch (line.kind) {
    case "seat": {
      const [section = "", row = "", number = ""] = line.id.split("-");
      const name = event?.sections.find(({ id }) => id === section)?.name ?? section;
      return [name, fill(texts.row, { row }), fill(texts.seatNumber, { number })].join(", ");
    }
    case "zone":
      return event?.zones.find(({ id }) => id === line.id)?.name ?? line.id;
    case "addon":
      return event?.addons.find(({ id }) => id === line.id)?.name ?? line.id;
    case "fee":
      return texts.fees;
  }
}
