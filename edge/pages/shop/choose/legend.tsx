import type { SeatMap } from "../../../../shared/contract/events.ts";
import { useWords } from "../words.tsx";

type Props = { map: SeatMap; zoneIndex: ReadonlyMap<string, number>; withStates: boolean };

/** Prices with their colours, and what the shapes on the plan mean. */
export function Legend({ map, zoneIndex, withStates }: Props) {
  const { texts, format } = useWords();
  return (
    <aside class="legend">
      <h2>{texts.prices}</h2>
      <ul>
        {map.zones.map(({ id, name, price, available }) => (
          <li key={id} class={available === 0 ? "out" : ""}>
            <i class={`swatch zone-${(zoneIndex.get(id) ?? 0) % 8}`} />
            <span>
              {name}
              <small>
                {available === 0 ? texts.soldOut : format.plural(texts.left, available)}
              </small>
            </span>
            <b>{format.money(price)}</b>
          </li>
        ))}
      </ul>
      {withStates ? (
        <ul class="shapes">
          <li>
            <i class="shape free" />
            {texts.state_available}
          </li>
          <li>
            <i class="shape mine" />
            {texts.stateChosen}
          </li>
          <li>
            <i class="shape held" />
            {texts.state_held}
          </li>
          <li>
            <i class="shape sold" />
            {texts.state_sold}
          </li>
        </ul>
      ) : null}
    </aside>
  );
}
