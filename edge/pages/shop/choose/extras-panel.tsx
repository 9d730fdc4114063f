import type { EventView } from "../../../../shared/contract/events.ts";
import { useWords } from "../words.ts";
import { type Extras, quantityOf, setExtra } from "./extras.ts";
import { Quantity } from "./quantity.tsx";

type Props = {
  event: EventView;
  extras: Extras;
  onChange: (extras: Extras) => void;
};

const EACH_MAX = 20;

/** Parking, a programme, a shirt: held together with the seats. */
export function ExtrasPanel({ event, extras, onChange }: Props) {
  const { texts, format } = useWords();
  if (event.addons.length === 0) return null;
  return (
    <section class="panel extras" id="extras">
      <div>
        <h2>{texts.extras}</h2>
        <p class="muted">{texts.extrasHint}</p>
      </div>
      <ul>
        {event.addons.flatMap(({ id, name, price, variants, soldOut }) =>
          (variants ?? [undefined]).map((variant) => {
            const label = variant === undefined ? name : `${name}, ${variant}`;
            return (
              <li key={label} class={soldOut ? "out" : ""}>
                <span>
                  {label}
                  <small>{soldOut ? texts.soldOut : format.money(price)}</small>
                </span>
                <Quantity
                  label={label}
                  min={0}
                  max={soldOut ? 0 : EACH_MAX}
                  value={soldOut ? 0 : quantityOf(extras, id, variant)}
                  onChange={(quantity) =>
                    onChange(
                      setExtra(extras, {
                        id,
                        quantity,
                        ...(variant === undefined ? {} : { variant }),
                      }),
                    )
                  }
                />
              </li>
            );
          }),
        )}
      </ul>
    </section>
  );
}
