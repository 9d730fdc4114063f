import { useEffect, useState } from "preact/hooks";
import type { EventView } from "../../../../shared/contract/events.ts";
import { download } from "../calls/house.ts";
import { type ListedOrder, listOrders } from "../calls/orders.ts";
import { mayAs, type Session } from "../calls/session.ts";
import { Card, ChoiceField, Said, TextField, type Word } from "../parts/field.tsx";
import { sentenceOf, useWords } from "../words.tsx";
import { OrderDetail } from "./order-detail.tsx";

const STATES = [
  "",
  "paid",
  "pending",
  "part_refunded",
  "refunded",
  "cancelled",
  "expired",
] as const;
const EXPORTS = ["orders", "tickets", "payments", "refunds", "audit"] as const;
const PAGE = 50;

/** Finds an order by anything somebody on the phone may know of it. */
export function Orders({ session, event }: { session: Session; event: EventView }) {
  const words = useWords();
  const { texts } = words;
  const [q, setQ] = useState("");
  const [state, setState] = useState<(typeof STATES)[number]>("");
  const [orders, setOrders] = useState<readonly ListedOrder[]>();
  const [chosen, setChosen] = useState<string>();
  const [said, setSaid] = useState<Word>();
  const [hasMore, setMore] = useState(false);
  const look = async (before?: string) => {
    const reply = await listOrders(session, event.id, { q: q.trim(), state, before });
    if (reply.kind !== "ok") return setSaid({ text: sentenceOf(words, reply), isTrouble: true });
    setSaid(undefined);
    setMore(reply.data.orders.length === PAGE);
    setOrders([...(before === undefined ? [] : (orders ?? [])), ...reply.data.orders]);
  };
  useEffect(() => {
    void look();
  }, [state]);
  const save = async (what: string) => {
    const done = await download(session, event.id, what);
    if (!done) setSaid({ text: texts.noDownload, isTrouble: true });
  };
  return (
    <div class={`orders ${chosen === undefined ? "" : "with-one"}`}>
      <Card title={texts.orders}>
        <form
          class="search"
          onSubmit={(submit) => {
            submit.preventDefault();
            void look();
          }}
        >
          <TextField
            label={texts.searchOrders}
            hint={texts.searchHint}
            type="search"
            value={q}
            onValue={setQ}
            maxLength={254}
          />
          <ChoiceField
            label={texts.state}
            value={state}
            options={STATES.map((each) => [
              each,
              each === "" ? texts.allStates : texts.orderStates[each],
            ])}
            onValue={setState}
          />
          <button type="submit" class="quiet">
            {texts.search}
          </button>
        </form>
        <Said said={said} />
        {orders?.length === 0 ? <p class="empty">{texts.noOrders}</p> : null}
        <ul class="rows">
          {(orders ?? []).map((order) => (
            <OrderRow
              key={order.id}
              order={order}
              isChosen={order.id === chosen}
              onChoose={() => setChosen(order.id)}
            />
          ))}
        </ul>
        {hasMore ? (
          <button type="button" class="quiet" onClick={() => void look(orders?.at(-1)?.createdAt)}>
            {texts.more}
          </button>
        ) : null}
        {mayAs(session, "operator") ? (
          <fieldset class="actions exports" aria-label={texts.exports}>
            <span class="muted">{texts.exports}</span>
            {EXPORTS.map((what) => (
              <button key={what} type="button" class="quiet small" onClick={() => void save(what)}>
                {texts.exportsOf[what]}
              </button>
            ))}
          </fieldset>
        ) : null}
      </Card>
      {chosen === undefined ? null : (
        <OrderDetail
          key={chosen}
          session={session}
          order={chosen}
          onClose={() => setChosen(undefined)}
          onChanged={() => look()}
        />
      )}
    </div>
  );
}

function OrderRow(props: { order: ListedOrder; isChosen: boolean; onChoose: () => void }) {
  const { texts, format } = useWords();
  const { order, isChosen, onChoose } = props;
  return (
    <li>
      <button type="button" class="row" aria-pressed={isChosen} onClick={onChoose}>
        <span>
          <b>{order.name ?? texts.nobody}</b>
          <small>{order.email ?? order.id}</small>
          <small>{format.dateTime(order.createdAt)}</small>
        </span>
        <span class="row-end">
          <b>{format.money(order.total)}</b>
          <span class={`state state-${order.state}`}>{texts.orderStates[order.state]}</span>
          {order.review ? <span class="state state-review">{texts.review}</span> : null}
        </span>
      </button>
    </li>
  );
}
