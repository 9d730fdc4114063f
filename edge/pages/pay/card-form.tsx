import { useEffect, useRef, useState } from "preact/hooks";
import type { PageConfig } from "../kit/api.ts";
import { fill } from "../kit/i18n.ts";
import { PayFrame, type PayProps } from "../orders/pay-frame.tsx";
import { useWords } from "../shop/words.ts";
import { type CardElements, loadStripe, type Stripe, stripeAmount } from "./stripe.ts";

type Props = PayProps & { stripe: NonNullable<PageConfig["stripe"]> };
type Form =
  | { state: "loading" }
  | { state: "down" }
  | { state: "ready"; stripe: Stripe; elements: CardElements };

/** Stripe's form in the page's own colours. */
function looksOf(): object {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  return {
    theme: isDark ? "night" : "stripe",
    variables: {
      colorPrimary: of("--accent"),
      colorBackground: of("--surface"),
      colorText: of("--ink"),
      colorDanger: of("--bad"),
      borderRadius: "10px",
    },
  };
}

export function CardForm(props: Props) {
  const { order, stripe: config, busy, asking, onPay } = props;
  const { texts, format } = useWords();
  const place = useRef<HTMLDivElement>(null);
  const [form, setForm] = useState<Form>({ state: "loading" });
  const [tries, setTries] = useState(0);
  const [complaint, setComplaint] = useState("");
  const [checking, setChecking] = useState(false);
  useEffect(() => {
    let isGone = false;
    loadStripe(config.script).then(
      (makeStripe) => {
        const { current: element } = place;
        if (isGone || !element) return;
        const stripe = makeStripe(config.key, { locale: document.documentElement.lang });
        const elements = stripe.elements({
          mode: "payment",
          amount: stripeAmount(order.total),
          currency: order.total.currency.toLowerCase(),
          // The core makes the intent, once the attempt is written down.
          paymentMethodCreation: "manual",
          appearance: looksOf(),
        });
        elements.create("payment", { layout: "tabs" }).mount(element);
        setForm({ state: "ready", stripe, elements });
      },
      () => {
        if (!isGone) setForm({ state: "down" });
      },
    );
    return () => {
      isGone = true;
    };
  }, [tries]);

  const pay = async () => {
    if (form.state !== "ready" || checking) return;
    const { stripe, elements } = form;
    setChecking(true);
    setComplaint("");
    const { error: unfinished } = await elements.submit();
    const { paymentMethod, error } = unfinished
      ? { paymentMethod: undefined, error: unfinished }
      : await stripe.createPaymentMethod({ elements });
    setChecking(false);
    if (paymentMethod) onPay(paymentMethod.id);
    else setComplaint(error?.message ?? texts.cardDown);
  };
  const isBusy = busy || checking;
  return (
    <PayFrame {...props} busy={isBusy} onSubmit={() => void pay()}>
      <p class="muted">{texts.cardNote}</p>
      {form.state === "loading" ? <p role="status">{texts.cardLoading}</p> : null}
      {form.state === "down" ? (
        <div class="notice" role="alert">
          <p>{texts.cardDown}</p>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              setForm({ state: "loading" });
              setTries(tries + 1);
            }}
          >
            {texts.steps.again}
          </button>
        </div>
      ) : null}
      <div ref={place} class="card-form" />
      {complaint === "" ? null : (
        <p class="notice" role="alert">
          {complaint}
        </p>
      )}
      <button type="submit" disabled={isBusy || form.state !== "ready"} aria-busy={isBusy}>
        {asking
          ? texts.asking
          : isBusy
            ? texts.paying
            : fill(texts.toCard, { total: format.money(order.total) })}
      </button>
    </PayFrame>
  );
}
