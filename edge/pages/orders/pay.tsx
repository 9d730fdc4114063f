import { useState } from "preact/hooks";
import { fill } from "../kit/i18n.ts";
import { useWords } from "../shop/words.ts";
import { PayFrame, type PayProps } from "./pay-frame.tsx";

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

export function Pay(props: PayProps) {
  const { order, busy, asking, onPay } = props;
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
  return (
    <PayFrame {...props} onSubmit={() => onPay(method)}>
      <p class="muted">{texts.testNote}</p>
      <fieldset class="choices">
        <legend class="sr">{texts.howToPay}</legend>
        {METHODS.map(choice)}
        <details>
          <summary>{texts.moreMethods}</summary>
          {MORE_METHODS.map(choice)}
        </details>
      </fieldset>
      <button type="submit" disabled={busy} aria-busy={busy}>
        {asking
          ? texts.asking
          : busy
            ? texts.paying
            : fill(texts.pay, { total: format.money(order.total) })}
      </button>
    </PayFrame>
  );
}
