import { useState } from "preact/hooks";
import type { AccountView } from "../../../shared/contract/accounts.ts";
import type { EventView } from "../../../shared/contract/events.ts";
import { serverNow } from "../kit/clock.ts";
import { fill } from "../kit/i18n.ts";
import { saveBlob } from "../tickets/calls.ts";
import { EventStub } from "./event-stub.tsx";
import { Trouble } from "./trouble.tsx";
import type { Account } from "./use-account.ts";
import { useWords } from "./words.ts";

/** Registered, bought, kept about me. */
export function Mine({ account, asked }: { account: Account; asked: string | undefined }) {
  const { texts } = useWords();
  const { state } = account;
  if (!state.account) return null;
  const { email, registrations, orders } = state.account;
  const now = serverNow();
  const open = state.events.filter(
    ({ id, saleClosesAt }) =>
      (saleClosesAt === undefined || Date.parse(saleClosesAt) > now) &&
      !registrations.some(({ event }) => event === id),
  );
  const coming = registrations.filter(({ startsAt }) => Date.parse(startsAt) > now);
  return (
    <div class="mine">
      <div class="mine-head">
        <div>
          <h1>{texts.title}</h1>
          <p class="muted">{fill(texts.signedInAs, { email })}</p>
        </div>
        <button type="button" class="quiet" onClick={() => void account.signOut()}>
          {texts.signOut}
        </button>
      </div>
      <Trouble code={state.trouble} />
      <Passes account={account} coming={coming} asked={asked} />
      <Registering account={account} open={open} asked={asked} />
      <Orders account={account} orders={orders} />
      <MyData account={account} />
    </div>
  );
}

type Passes = { account: Account; coming: AccountView["registrations"]; asked: string | undefined };

/** The one that a line asked for comes first. */
const first = <T,>(all: readonly T[], isIt: (one: T) => boolean): T[] => [
  ...all.filter(isIt),
  ...all.filter((one) => !isIt(one)),
];

function Passes({ account, coming, asked }: Passes) {
  const { texts } = useWords();
  if (coming.length === 0) return null;
  return (
    <section>
      <h2>{texts.passes}</h2>
      <p class="muted">{texts.passesBody}</p>
      <ul class="cards">
        {first(coming, ({ event }) => event === asked).map((one) => (
          <li key={one.event}>
            <EventStub {...one} note={texts.registered} paper>
              <button
                type="button"
                disabled={account.state.busy}
                onClick={() => void account.goToLine(one.event)}
              >
                {texts.toLine}
                <span class="sr"> {one.name}</span>
              </button>
            </EventStub>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Registering = { account: Account; open: EventView[]; asked: string | undefined };

function Registering({ account, open, asked }: Registering) {
  const { texts, format } = useWords();
  if (open.length === 0) return null;
  return (
    <section>
      <h2>{texts.register}</h2>
      <p class="muted">{texts.registerBody}</p>
      <ul class="cards">
        {first(open, ({ id }) => id === asked).map((event) => (
          <li key={event.id}>
            <EventStub
              name={event.name}
              startsAt={event.startsAt}
              timeZone={event.timeZone}
              note={
                Date.parse(event.saleOpensAt) > serverNow()
                  ? fill(texts.saleOpens, {
                      time: format.dateTime(event.saleOpensAt, event.timeZone),
                    })
                  : texts.onSale
              }
            >
              <button
                type="button"
                class={event.id === asked ? "" : "quiet"}
                disabled={account.state.busy}
                onClick={() => void account.register(event.id)}
              >
                {texts.registerNow}
                <span class="sr"> {event.name}</span>
              </button>
            </EventStub>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Orders({ account, orders }: { account: Account; orders: AccountView["orders"] }) {
  const { texts } = useWords();
  return (
    <section>
      <h2>{texts.orders}</h2>
      {orders.length === 0 ? <p class="muted">{texts.noOrders}</p> : null}
      <ul class="cards">
        {orders.map((order) => (
          <li key={order.id}>
            <EventStub {...order} note={`${texts.states[order.state]} · ${order.id.slice(-6)}`}>
              <button
                type="button"
                class="quiet"
                disabled={account.state.busy}
                onClick={() => void account.openOrder(order.id)}
              >
                {order.state === "paid" || order.state === "part_refunded"
                  ? texts.openTickets
                  : texts.openOrder}
                <span class="sr"> {order.name}</span>
              </button>
            </EventStub>
          </li>
        ))}
      </ul>
    </section>
  );
}

function MyData({ account }: { account: Account }) {
  const { texts } = useWords();
  const [asks, setAsks] = useState(false);
  const copy = async () => {
    const file = await account.saveCopy();
    if (file) saveBlob(file, "sira-account.json");
  };
  return (
    <section>
      <h2>{texts.data}</h2>
      <p class="muted">{texts.dataBody}</p>
      {asks ? (
        <div class="panel warn" role="alert">
          <p>{texts.eraseWarn}</p>
          <div class="actions">
            <button
              type="button"
              class="danger"
              disabled={account.state.busy}
              onClick={() => void account.erase()}
            >
              {texts.eraseYes}
            </button>
            <button type="button" class="quiet" onClick={() => setAsks(false)}>
              {texts.eraseNo}
            </button>
          </div>
        </div>
      ) : (
        <div class="actions">
          <button type="button" class="quiet" onClick={() => void copy()}>
            {texts.copy}
          </button>
          <button type="button" class="quiet" onClick={() => setAsks(true)}>
            {texts.erase}
          </button>
        </div>
      )}
    </section>
  );
}
