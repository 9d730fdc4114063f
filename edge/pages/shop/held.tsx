import { useState } from "preact/hooks";
import type { EventView } from "../../../shared/contract/events.ts";
import type { HoldView } from "../../../shared/contract/holds.ts";
import type { OrderRequest } from "../../../shared/contract/orders.ts";
import type { Money } from "../../../shared/money.ts";
import { type Format, fill } from "../kit/i18n.ts";
import { HoldBoard, type MoreTime } from "./parts/countdown.tsx";
import type { TroubleCode } from "./parts/failure.ts";
import { type Line, Lines } from "./parts/lines.tsx";
import { priceTag } from "./parts/price-tag.ts";
import { Trouble } from "./parts/trouble.tsx";
import type { ShopTexts } from "./texts/en.ts";
import { useWords } from "./words.ts";

type Props = {
  event: EventView;
  hold: HoldView;
  busy: boolean;
  trouble: TroubleCode | undefined;
  more: MoreTime;
  onOrder: (body: OrderRequest) => void;
  onRelease: () => void;
};

/** The hold in words, with fees and tax as the order will have them. */
function billOf(
  hold: HoldView,
  event: EventView,
  { texts, format }: { texts: ShopTexts; format: Format },
): { lines: Line[]; total: Money } {
  const sectionName = (id: string) =>
    event.sections.find((section) => section.id === id)?.name ?? id;
  const zoneName = (id: string) => event.zones.find((zone) => zone.id === id)?.name ?? id;
  const addonName = (id: string) => event.addons.find((addon) => addon.id === id)?.name ?? id;
  const lines: Line[] = [
    ...hold.seats.map((seat) => ({
      key: seat.id,
      text: [
        sectionName(seat.section),
        fill(texts.row, { row: seat.row }),
        fill(texts.seatNumber, { number: format.number(seat.number) }),
      ].join(", "),
      price: seat.price,
      quantity: 1,
    })),
    ...hold.zones.map(({ id, price, quantity }) => ({
      key: id,
      text: zoneName(id),
      price,
      quantity,
    })),
    ...hold.addons.map(({ id, variant, price, quantity }) => ({
      key: `${id} ${variant ?? ""}`,
      text: variant === undefined ? addonName(id) : `${addonName(id)}, ${variant}`,
      price,
      quantity,
    })),
  ];
  const goods = lines.reduce((sum, line) => sum + line.price.amount * line.quantity, 0);
  const units = [
    ...hold.seats.map(({ zone }) => ({ zone, quantity: 1 })),
    ...hold.zones.map(({ id, quantity }) => ({ zone: id, quantity })),
  ];
  const { added, total } = priceTag(event, { units, goods });
  const { currency } = event;
  for (const { kind, amount, quantity } of added)
    lines.push({
      key: `${kind} ${amount}`,
      text: texts[kind],
      price: { amount, currency },
      quantity,
    });
  return { lines, total };
}

/** The seats are the fan's for some minutes: who buys them, for how much, and on to the payment. */
export function Held({ event, hold, busy, trouble, more, onOrder, onRelease }: Props) {
  const words = useWords();
  const { texts, format } = words;
  const { lines, total } = billOf(hold, event, words);
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [equal, setEqual] = useState(false);
  const submit = (form: Event) => {
    form.preventDefault();
    onOrder({
      holdId: hold.id,
      buyer: { email: email.trim(), name: name.trim(), locale: document.documentElement.lang },
      ...(equal ? { acceptEqualSeats: true } : {}),
    });
  };
  return (
    <div class="held">
      <HoldBoard expiresAt={hold.expiresAt} label={texts.heldFor} more={more} />
      <section class="panel lines-panel">
        <h2>{texts.yourSeats}</h2>
        {hold.adjacent === false ? <p class="muted">{texts.notAdjacent}</p> : null}
        <Lines lines={lines} total={total} />
      </section>
      <form class="panel" onSubmit={submit}>
        <h2>{texts.buyer}</h2>
        <Trouble code={trouble} event={event.id} />
        <label class="field">
          <span>{texts.email}</span>
          <input
            type="email"
            name="email"
            autocomplete="email"
            inputMode="email"
            required
            maxLength={254}
            autocapitalize="none"
            spellcheck={false}
            enterkeyhint="next"
            value={email}
            aria-describedby="email-hint"
            onInput={(input) => setEmail(input.currentTarget.value)}
          />
          <small id="email-hint">{texts.emailHint}</small>
        </label>
        <label class="field">
          <span>{texts.name}</span>
          <input
            type="text"
            name="name"
            autocomplete="name"
            autocapitalize="words"
            enterkeyhint="go"
            required
            maxLength={200}
            value={name}
            onInput={(input) => setName(input.currentTarget.value)}
          />
        </label>
        {hold.seats.length > 0 ? (
          <label class="check">
            <input
              type="checkbox"
              checked={equal}
              onChange={(input) => setEqual(input.currentTarget.checked)}
            />
            <span>{texts.acceptEqual}</span>
          </label>
        ) : null}
        <div class="actions">
          <button type="submit" disabled={busy}>
            {fill(texts.toPayment, { total: format.money(total) })}
          </button>
          <button type="button" class="quiet" disabled={busy} onClick={onRelease}>
            {texts.giveBack}
          </button>
        </div>
      </form>
    </div>
  );
}
