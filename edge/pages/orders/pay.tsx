import { useState } from "preact/hooks";
import type { OrderView } from "../../../shared/contract/orders.ts";
import { fill } from "../kit/i18n.ts";
import { HoldBoard } from "../shop/parts/countdown.tsx";
import { useWords } from "../shop/words.tsx";

/** Methods of the payment simulator: what a real provider's form will offer here. */
const METHODS = ["pm_ok", "pm_declined", "pm_slow", "pm_lost"] as const;
const MORE_METHODS = [
  "pm_late",
  "pm_error",
  "pm_lagging",
  "pm_only_webhook",
  "pm_dup_webhook",
  "pm_late_webhook",
  "pm_wrong_amount",
] as const;

type Props = {
  order: OrderView;
  failed: string | undefined;
  busy: boolean;
  onPay: (method: string) => void;
  onCancel: () => void;
};

export function Pay({ order, failed, busy, onPay, onCancel }: Props) {
  const { texts, format } = useWords();
  const [method, setMethod] = useState<string>(METHODS[0]);
  const choice = (id: (typeof METHODS)[number] | (typeof MORE_METHODS)[number]) => (
    <label key={id} class="choice">
      <input
        type="radio"
        name="method"
        value={id}
        checked={method === id}
        disabled={busy}
        onChange={() => setMethod(id)}
      />
      <span>
        {texts.methods[id][0]}
        <small>{texts.methods[id][1]}</small>
      </span>
    </label>
  );
  const submit = (event: Event) => {
    event.preventDefault();
    if (!busy) onPay(method);
  };
  return (
    <>
      {order.expiresAt === undefined ? null : (
        <HoldBoard expiresAt={order.expiresAt} label={texts.heldFor} />
      )}
      <form class="panel" onSubmit={submit}>
        <h2>{texts.howToPay}</h2>
        {failed === undefined ? null : (
          <div class="notice" role="alert">
            <p>
              <b>{texts.failed[0]}</b>
            </p>
            <p>{texts.failed[1]}</p>
          </div>
        )}
        <p class="muted">{texts.testNote}</p>
        <fieldset class="choices">
          <legend class="sr">{texts.howToPay}</legend>
          {METHODS.map(choice)}
          <details>
            <summary>{texts.moreMethods}</summary>
            {MORE_METHODS.map(choice)}
          </details>
        </fieldset>
        <div class="actions">
          <button type="submit" disabled={busy} aria-busy={busy}>
            {busy ? texts.paying : fill(texts.pay, { total: format.money(order.total) })}
          </button>
          <button type="button" class="quiet" disabled={busy} onClick={onCancel}>
            {texts.cancel}
          </button>
        </div>
      </form>
    </>
  );
}
