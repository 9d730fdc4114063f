import { useState } from "preact/hooks";
import type { HoldRequest } from "../../../../shared/contract/holds.ts";
import type { Money } from "../../../../shared/money.ts";
import { fill } from "../../kit/i18n.ts";
import type { Units } from "../parts/price-tag.ts";
import { ZoneMark } from "../parts/zone-mark.tsx";
import { useWords } from "../words.ts";
import { Quantity } from "./quantity.tsx";
import type { ZoneFacts } from "./zones.ts";

type Props = {
  zones: ZoneFacts[];
  perOrder: number;
  busy: boolean;
  /** Seats or places with their fees, and the extras. */
  totalOf: (units: readonly Units[], amount: number) => Money;
  onHold: (body: HoldRequest) => void;
};

/** Places without numbers. */
export function Standing({ zones, perOrder, busy, totalOf, onHold }: Props) {
  const { texts, format } = useWords();
  const standing = zones.filter((zone) => zone.kind === "standing");
  const [quantity, setQuantity] = useState(Math.min(2, perOrder));
  const [picked, setPicked] = useState("");
  const chosen =
    standing.find(({ id, available }) => id === picked && available > 0) ??
    standing.find(({ available }) => available > 0);
  const submit = (event: Event) => {
    event.preventDefault();
    if (chosen) onHold({ zone: chosen.id, quantity });
  };
  return (
    <form class="panel" onSubmit={submit}>
      <fieldset class="choices">
        <legend>{texts.zone}</legend>
        {standing.map(({ id, index, name, price, available }) => (
          <label key={id} class="choice">
            <input
              type="radio"
              name="zone"
              value={id}
              checked={chosen?.id === id}
              disabled={available === 0}
              onChange={() => setPicked(id)}
            />
            <span>
              <ZoneMark index={index} />
              {name}
              <small>
                {available === 0 ? texts.soldOut : format.plural(texts.left, available)}
              </small>
            </span>
            <b>{format.money(price)}</b>
          </label>
        ))}
      </fieldset>
      <Quantity value={quantity} max={perOrder} onChange={setQuantity} />
      {chosen ? (
        <p class="muted">
          {fill(texts.withFees, {
            total: format.money(
              totalOf([{ zone: chosen.id, quantity }], chosen.price.amount * quantity),
            ),
          })}
        </p>
      ) : null}
      <button type="submit" disabled={busy || !chosen} aria-busy={busy}>
        {busy ? texts.holding : format.plural(texts.holdStanding, quantity)}
      </button>
    </form>
  );
}
