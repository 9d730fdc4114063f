import { useEffect, useState } from "preact/hooks";
import { formatFor } from "../kit/i18n.ts";
import { problems } from "../kit/problems/en.ts";
import { codeOf } from "../shop/parts/failure.ts";
import { ActDialog } from "./act-dialog.tsx";
import { type ListedOrder, listOrders, refundOrder, type Session } from "./calls.ts";
import { texts } from "./texts.ts";

const format = formatFor("en");

export function Orders({ session, event }: { session: Session; event: string }) {
  const [email, setEmail] = useState("");
  const [orders, setOrders] = useState<ListedOrder[]>();
  const [trouble, setTrouble] = useState<string>();
  const [refunding, setRefunding] = useState<{ id: string; key: string }>();
  const [busy, setBusy] = useState(false);
  const look = async () => {
    const reply = await listOrders(session, event, email.trim());
    setTrouble(reply.kind === "ok" ? undefined : problems[codeOf(reply)]);
    if (reply.kind === "ok") setOrders(reply.data.orders);
  };
  useEffect(() => {
    void look();
  }, [event]);
  const refund = async (reason: string) => {
    if (!refunding) return;
    setBusy(true);
    // The key is made when the dialog opens: pressing twice is one refund.
    const reply = await refundOrder(session, refunding.id, { reason, key: refunding.key });
    setBusy(false);
    if (reply.kind !== "ok") setTrouble(problems[codeOf(reply)]);
    setRefunding(undefined);
    await look();
  };
  return (
    <section class="card">
      <h3>{texts.orders}</h3>
      <form
        class="search"
        onSubmit={(submit) => {
          submit.preventDefault();
          void look();
        }}
      >
        <label class="field">
          <span>{texts.searchEmail}</span>
          <input
            type="search"
            value={email}
            onInput={(input) => setEmail(input.currentTarget.value)}
          />
        </label>
        <button type="submit" class="quiet">
          {texts.search}
        </button>
      </form>
      {trouble === undefined ? null : (
        <p class="notice" role="alert">
          {trouble}
        </p>
      )}
      {orders?.length === 0 ? <p class="muted">{texts.noOrders}</p> : null}
      <ul class="rows">
        {(orders ?? []).map((order) => (
          <li key={order.id}>
            <span>
              <b>{order.email}</b>
              <small>
                {format.dateTime(order.createdAt)} · {order.id}
              </small>
            </span>
            <span class={`state state-${order.state}`}>{order.state}</span>
            <b>{format.money(order.total)}</b>
            {order.state === "paid" || order.state === "part_refunded" ? (
              <button
                type="button"
                class="quiet small"
                onClick={() => setRefunding({ id: order.id, key: crypto.randomUUID() })}
              >
                {texts.refund}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {refunding ? (
        <ActDialog
          title={texts.refund}
          body={`${texts.refundAsk} ${texts.refundBody}`}
          grave={true}
          busy={busy}
          onClose={() => setRefunding(undefined)}
          onConfirm={({ reason }) => void refund(reason)}
        />
      ) : null}
    </section>
  );
}
