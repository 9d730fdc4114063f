import { ZoneMark } from "../parts/zone-mark.tsx";
import { useWords } from "../words.ts";
import type { ZoneFacts } from "./zones.ts";

type Props = {
  zones: ZoneFacts[];
  onlyZone: string | undefined;
  onOnly: (zone: string | undefined) => void;
};

/** Prices with their colours; pressing one lets the others step back. */
export function Prices({ zones, onlyZone, onOnly }: Props) {
  const { texts, format } = useWords();
  return (
    <section class="prices" aria-label={texts.prices}>
      {zones.map(({ id, index, name, price, available }) => (
        <button
          key={id}
          type="button"
          class="price"
          aria-pressed={onlyZone === id}
          disabled={available === 0}
          onClick={() => onOnly(onlyZone === id ? undefined : id)}
        >
          <ZoneMark index={index} />
          <span>
            {name}
            <small>{available === 0 ? texts.soldOut : format.plural(texts.left, available)}</small>
          </span>
          <b>{format.money(price)}</b>
        </button>
      ))}
    </section>
  );
}

/** What the shapes on the plan mean. */
export function Shapes() {
  const { texts } = useWords();
  const shape = (kind: string, text: string, body: preact.JSX.Element) => (
    <li key={kind}>
      <svg class={`shape ${kind}`} viewBox="0 0 20 20" aria-hidden="true">
        {body}
      </svg>
      {text}
    </li>
  );
  return (
    <ul class="shapes">
      {shape("free", texts.state_available, <rect x="2" y="2" width="16" height="16" rx="4.5" />)}
      {shape(
        "mine",
        texts.stateChosen,
        <>
          <rect x="2" y="2" width="16" height="16" rx="4.5" />
          <path d="M6 10.2 9 13.2 14.3 6.8" />
        </>,
      )}
      {shape("held", texts.state_held, <rect x="4" y="4" width="12" height="12" rx="3.5" />)}
      {shape("sold", texts.state_sold, <circle cx="10" cy="10" r="3.4" />)}
      {shape("free", texts.accessible, <circle cx="10" cy="10" r="8" />)}
      {shape(
        "free",
        texts.companion,
        <path d="M6.5 2H13.500A4.500 4.500 0 0 1 18 6.500V13.500A4.500 4.500 0 0 1 13.500 18H2V6.500A4.500 4.500 0 0 1 6.500 2Z" />,
      )}
    </ul>
  );
}
