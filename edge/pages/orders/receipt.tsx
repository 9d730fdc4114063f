import type { OrderView } from "../../../shared/contract/orders.ts";
import { fill } from "../kit/i18n.ts";
import { Lines } from "../shop/parts/lines.tsx";
import { useWords } from "../shop/words.ts";
import type { DeskState } from "./desk.ts";
import { linesOfOrder } from "./order-lines.ts";
import { printOnly } from "./print.ts";

/** What is bought and what it costs; once it is paid, a receipt to keep. */
export function Receipt({ order, state }: { order: OrderView; state: DeskState }) {
  const { texts, format } = useWords();
  const { event } = state;
  const isReceipt = order.state === "paid" || order.state === "part_refunded";
  return (
    <section class="panel receipt">
      <h2>{isReceipt ? texts.receipt : texts.yourSeats}</h2>
      {isReceipt ? (
        <p class="muted">
          {[
            event?.name,
            event?.venue,
            event && format.dateTime(event.startsAt, event.timeZone),
            fill(texts.orderNumber, { id: order.id }),
          ]
            .filter((part) => part !== undefined)
            .join(" · ")}
        </p>
      ) : null}
      <Lines lines={linesOfOrder(order, event, texts)} total={order.total} />
      {(order.refunds ?? []).map((refund) => (
        <p key={refund.id} class="muted">
          {fill(texts.refundOf, { amount: format.money(refund.amount) })}
        </p>
      ))}
      {isReceipt ? (
        <div class="actions no-print">
          <button type="button" class="quiet" onClick={() => printOnly("receipt")}>
            {texts.printReceipt}
          </button>
        </div>
      ) : null}
    </section>
  );
}
