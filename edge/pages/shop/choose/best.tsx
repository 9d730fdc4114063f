import { useState } from "preact/hooks";
import type { SeatMap } from "../../../../shared/contract/events.ts";
import type { HoldRequest } from "../../../../shared/contract/holds.ts";
import { useWords } from "../words.tsx";
import { Quantity } from "./quantity.tsx";

type Props = { map: SeatMap; perOrder: number; busy: boolean; onHold: (body: HoldRequest) => void };

/** For whoever would rather say how many and how much than look for seats. */
export function BestSeats({ map, perOrder, busy, onHold }: Props) {
  const { texts, format } = useWords();
  const [quantity, setQuantity] = useState(2);
  const [zone, setZone] = useState("");
  const [section, setSection] = useState("");
  const [together, setTogether] = useState(false);
  const zones = map.zones.filter((candidate) => candidate.kind === "seated");
  const submit = (event: Event) => {
    event.preventDefault();
    onHold({
      best: {
        quantity,
        ...(zone === "" ? {} : { zone }),
        ...(section === "" ? {} : { section }),
        ...(together ? { together } : {}),
      },
    });
  };
  return (
    <form class="panel" onSubmit={submit}>
      <Quantity value={quantity} max={perOrder} onChange={setQuantity} />
      <label class="field">
        <span>{texts.zone}</span>
        <select value={zone} onChange={(event) => setZone(event.currentTarget.value)}>
          <option value="">{texts.anyZone}</option>
          {zones.map(({ id, name, price, available }) => (
            <option key={id} value={id} disabled={available === 0}>
              {name} · {format.money(price)}
            </option>
          ))}
        </select>
      </label>
      {map.sections.length > 1 ? (
        <label class="field">
          <span>{texts.section}</span>
          <select value={section} onChange={(event) => setSection(event.currentTarget.value)}>
            <option value="">{texts.anySection}</option>
            {map.sections.map(({ id, name, available }) => (
              <option key={id} value={id} disabled={available === 0}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <label class="check">
        <input
          type="checkbox"
          checked={together}
          onChange={(event) => setTogether(event.currentTarget.checked)}
        />
        <span>{texts.together}</span>
      </label>
      <button type="submit" disabled={busy}>
        {busy ? texts.holding : texts.find}
      </button>
    </form>
  );
}
