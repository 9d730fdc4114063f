import type { ComponentChildren } from "preact";
import type { OrderView } from "../../../shared/contract/orders.ts";
import { HoldBoard, type MoreTime } from "../shop/parts/countdown.tsx";
import { useWords } from "../shop/words.ts";

export type PayProps = {
  order: OrderView;
  failed: string | undefined;
  busy: boolean;
  asking: boolean;
  more: MoreTime | undefined;
  onPay: (method: string) => void;
  onCancel: () => void;
};

type Props = Pick<PayProps, "order" | "failed" | "busy" | "more" | "onCancel"> & {
  onSubmit?: () => void;
  children: ComponentChildren;
};

/** Around every way to pay: how long the seats are held, how the last try ended, the way out. */
export function PayFrame({ order, failed, busy, more, onCancel, onSubmit, children }: Props) {
  const { texts } = useWords();
  const submit = (event: Event) => {
    event.preventDefault();
    if (!busy) onSubmit?.();
  };
  return (
    <>
      {order.expiresAt === undefined ? null : (
        <HoldBoard expiresAt={order.expiresAt} label={texts.heldFor} more={more} />
      )}
      <form class="panel pay" onSubmit={submit}>
        <h2>{texts.howToPay}</h2>
        {failed === undefined ? null : (
          <div class="notice" role="alert">
            <p>
              <b>{texts.failed[0]}</b>
            </p>
            <p>{texts.failed[1]}</p>
          </div>
        )}
        {children}
        <button type="button" class="quiet" disabled={busy} onClick={onCancel}>
          {texts.cancel}
        </button>
      </form>
    </>
  );
}
