import type { Money } from "../../../../shared/money.ts";
import { fill } from "../../kit/i18n.ts";
import type { Seat } from "../house/house.ts";
import { useWords } from "../words.tsx";

type Props = {
  seats: Seat[];
  amount: Money;
  busy: boolean;
  onClear: () => void;
  onDrop: (seat: Seat) => void;
  onHold: () => void;
};

/** What has been tapped so far, always in sight, with the one button that matters. */
export function ChosenBar({ seats, amount, busy, onClear, onDrop, onHold }: Props) {
  const { texts, format } = useWords();
  return (
    <section class="chosen" aria-label={format.plural(texts.chosen, seats.length)}>
      <ul>
        {seats.map((seat) => (
          <li key={seat.id}>
            <button
              type="button"
              onClick={() => onDrop(seat)}
              aria-label={fill(texts.dropSeat, { seat: seat.id })}
            >
              <b>
                {seat.section} {seat.row}/{seat.number}
              </b>
              <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ul>
      <div class="chosen-act">
        <p role="status">
          {format.plural(texts.chosen, seats.length)} · <b>{format.money(amount)}</b>
        </p>
        <button type="button" class="quiet" disabled={busy} onClick={onClear}>
          {texts.clear}
        </button>
        <button type="button" disabled={busy} onClick={onHold}>
          {busy ? texts.holding : texts.hold}
        </button>
      </div>
    </section>
  );
}
