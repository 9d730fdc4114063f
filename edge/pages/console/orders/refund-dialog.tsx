import { useState } from "preact/hooks";
import type { OrderView, RefundRequest } from "../../../../shared/contract/orders.ts";
import { refundOrder } from "../calls/orders.ts";
import type { Session } from "../calls/session.ts";
import { decimalsOf } from "../event/zones-form.tsx";
import { ActDialog } from "../parts/act-dialog.tsx";
import { NumberField } from "../parts/field.tsx";
import { sentenceOf, useWords } from "../words.tsx";

type Props = {
  session: Session;
  order: OrderView;
  onClose: () => void;
  onDone: () => void;
};
type How = "whole" | "tickets" | "amount";

/** All of it, some tickets, or money only. */
export function RefundDialog({ session, order, onClose, onDone }: Props) {
  const words = useWords();
  const { texts } = words;
  const [how, setHow] = useState<How>("whole");
  const [tickets, setTickets] = useState<ReadonlySet<string>>(new Set());
  const [amount, setAmount] = useState(0);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  // Made when the dialog opens, and anew with another wish: pressed twice it is one refund.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const unit = 10 ** decimalsOf(order.total.currency);
  const valid = (order.tickets ?? []).filter(({ state }) => state === "valid");
  const change = (set: () => void) => {
    set();
    setKey(crypto.randomUUID());
  };
  const wish = (): Omit<RefundRequest, "reason"> => {
    if (how === "tickets") return { tickets: [...tickets] };
    if (how === "amount") return { amount: Math.round(amount * unit), tickets: [] };
    return {};
  };
  const confirm = async (reason: string) => {
    setBusy(true);
    const reply = await refundOrder(session, order.id, { key, request: { ...wish(), reason } });
    setBusy(false);
    if (reply.kind === "ok") onDone();
    else setTrouble(sentenceOf(words, reply));
  };
  const isEmpty = (how === "tickets" && tickets.size === 0) || (how === "amount" && !(amount > 0));
  return (
    <ActDialog
      title={texts.refund}
      body={texts.refundBody}
      grave
      busy={busy || isEmpty}
      trouble={trouble}
      onClose={onClose}
      onConfirm={(reason) => void confirm(reason)}
    >
      <fieldset class="choices">
        <legend>{texts.refundHow}</legend>
        {(["whole", "tickets", "amount"] as const).map((each) => (
          <label key={each} class="check">
            <input
              type="radio"
              name="how"
              checked={how === each}
              onChange={() => change(() => setHow(each))}
            />
            <span>{texts.refundWays[each]}</span>
          </label>
        ))}
      </fieldset>
      {how === "tickets"
        ? valid.map((ticket) => (
            <label key={ticket.id} class="check">
              <input
                type="checkbox"
                checked={tickets.has(ticket.id)}
                onChange={() =>
                  change(() => {
                    const next = new Set(tickets);
                    if (!next.delete(ticket.id)) next.add(ticket.id);
                    setTickets(next);
                  })
                }
              />
              <span>{ticket.seat ?? ticket.zone}</span>
            </label>
          ))
        : null}
      {how === "amount" ? (
        <NumberField
          label={`${texts.amount} (${order.total.currency})`}
          value={amount}
          onValue={(value) => change(() => setAmount(value))}
          min={0}
          max={order.total.amount / unit}
          step={1 / unit}
        />
      ) : null}
    </ActDialog>
  );
}
