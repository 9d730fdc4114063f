import { useState } from "preact/hooks";
import type { EventView } from "../../../shared/contract/events.ts";
import type { HoldView } from "../../../shared/contract/holds.ts";
import type { OrderRequest } from "../../../shared/contract/orders.ts";
import { type Format, fill } from "../kit/i18n.ts";
import { HoldBoard } from "./parts/countdown.tsx";
import type { TroubleCode } from "./parts/failure.ts";
import { type Line, Lines } from "./parts/lines.tsx";
import { Trouble } from "./parts/trouble.tsx";
import type { ShopTexts } from "./texts/en.ts";
import { useWords } from "./words.tsx";

type Props = {
  event: EventView;
  hold: HoldView;
  busy: boolean;
  trouble: TroubleCode | undefined;
  onOrder: (body: OrderRequest) => void;
  onRelease: () => void;
};

/** The hold's lines; what the total has above them are the fees. */
export function linesOfHold(
  hold: HoldView,
  event: EventView,
  { texts, format }: { texts: ShopTexts; format: Format },
): Line[] {
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
    ...hold.addons.map(({ id, price, quantity }) => ({
      key: id,
      text: addonName(id),
      price,
      quantity,
    })),
  ];
  const sum = lines.reduce((total, line) => total + line.price.amount * line.quantity, 0);
  const fees = hold.total.amount - sum;
  if (fees > 0)
    lines.push({
      key: "fees",
      text: texts.fees,
      price: { ...hold.total, amount: fees },
      quantity: 1,
    });
  return lines;
}

/** The seats are the fan's for some minutes: who buys them, for how much, and on to the payment. */
export function Held({ event, hold, busy, trouble, onOrder, onRelease }: Props) {
  const words = useWords();
  const { texts, format } = words;
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
      <HoldBoard expiresAt={hold.expiresAt} label={texts.heldFor} />
      <section class="panel">
        <h2>{texts.yourSeats}</h2>
        {hold.adjacent === false ? <p class="muted">{texts.notAdjacent}</p> : null}
        <Lines lines={linesOfHold(hold, event, words)} total={hold.total} />
      </section>
      <form class="panel" onSubmit={submit}>
        <h2>{texts.buyer}</h2>
        <Trouble code={trouble} />
        <label class="field">
          <span>{texts.email}</span>
          <input
            type="email"
            name="email"
            autocomplete="email"
            inputMode="email"
            required
            maxLength={254}
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
            {fill(texts.toPayment, { total: format.money(hold.total) })}
          </button>
          <button type="button" class="quiet" disabled={busy} onClick={onRelease}>
            {texts.giveBack}
          </button>
        </div>
      </form>
    </div>
  );
}
