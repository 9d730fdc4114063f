import { useId } from "preact/hooks";
import { useWords } from "../words.ts";

type Props = {
  value: number;
  max: number;
  min?: number;
  label?: string;
  onChange: (value: number) => void;
};

/** How many: two large buttons, since nobody types a two on a phone while the clock runs. */
export function Quantity({ value, max, min = 1, label, onChange }: Props) {
  const { texts, format } = useWords();
  const id = useId();
  const name = label ?? texts.quantity;
  return (
    <div class="field">
      <span id={id} class={label === undefined ? "" : "sr"}>
        {name}
      </span>
      <div class="stepper">
        <button
          type="button"
          class="quiet"
          aria-label={label === undefined ? texts.fewer : `${texts.fewer}: ${label}`}
          disabled={value <= min}
          onClick={() => onChange(value - 1)}
        >
          −
        </button>
        <output aria-live="polite" aria-labelledby={id}>
          {format.number(value)}
        </output>
        <button
          type="button"
          class="quiet"
          aria-label={label === undefined ? texts.more : `${texts.more}: ${label}`}
          disabled={value >= max}
          onClick={() => onChange(value + 1)}
        >
          +
        </button>
      </div>
    </div>
  );
}
