import { useWords } from "../words.tsx";

type Props = { value: number; max: number; onChange: (value: number) => void };

/** How many: two large buttons, since nobody types a two on a phone while the clock runs. */
export function Quantity({ value, max, onChange }: Props) {
  const { texts, format } = useWords();
  return (
    <div class="field">
      <span id="how-many">{texts.quantity}</span>
      <div class="stepper">
        <button
          type="button"
          class="quiet"
          aria-label={texts.fewer}
          disabled={value <= 1}
          onClick={() => onChange(value - 1)}
        >
          −
        </button>
        <output aria-live="polite" aria-labelledby="how-many">
          {format.number(value)}
        </output>
        <button
          type="button"
          class="quiet"
          aria-label={texts.more}
          disabled={value >= max}
          onClick={() => onChange(value + 1)}
        >
          +
        </button>
      </div>
    </div>
  );
}
