import { useState } from "preact/hooks";
import type { SeatMap } from "../../../../shared/contract/events.ts";
import type { HoldRequest } from "../../../../shared/contract/holds.ts";
import { useWords } from "../words.tsx";
import { Quantity } from "./quantity.tsx";

type Props = { map: SeatMap; perOrder: number; busy: boolean; onHold: (body: HoldRequest) => void };

/** Places without numbers. */
export function Standing({ map, perOrder, busy, onHold }: Props) {
  const { texts, format } = useWords();
  const zones = map.zones.filter((zone) => zone.kind === "standing");
  const [quantity, setQuantity] = useState(2);
  const [chosen, setChosen] = useState(zones.find((zone) => zone.available > 0)?.id ?? "");
  const submit = (event: Event) => {
    event.preventDefault();
    onHold({ zone: chosen, quantity });
  };
  return (
    <form class="panel" onSubmit={submit}>
      <fieldset class="choices">
        <legend>{texts.zone}</legend>
        {zones.map(({ id, name, price, available }) => (
          <label key={id} class="choice">
            <input
              type="radio"
              name="zone"
              value={id}
              checked={chosen === id}
              disabled={available === 0}
              onChange={() => setChosen(id)}
            />
            <span>
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
      <button type="submit" disabled={busy || chosen === ""}>
        {busy ? texts.holding : format.plural(texts.holdStanding, quantity)}
      </button>
    </form>
  );
}
