import type { Money } from "../../../../shared/money.ts";
import { fill } from "../../kit/i18n.ts";
import type { Seat } from "../house/house.ts";
import { useWords } from "../words.ts";

type Props = {
  seats: Seat[];
  /** With fees and extras: what will really have to be paid. */
  total: Money;
  extras: number;
  busy: boolean;
  /** Why these seats cannot be held as they are. */
  hint: string | undefined;
  nameOf: (seat: Seat) => string;
  onClear: () => void;
  onDrop: (seat: Seat) => void;
  onHold: () => void;
};

const labelOf = (seat: Seat): string => `${seat.section} ${seat.row}/${seat.number}`;

/** What has been tapped so far, always in sight, with the one button that matters. */
export function ChosenBar(props: Props) {
  const { seats, total, extras, busy, hint, nameOf, onClear, onDrop, onHold } = props;
  const { texts, format } = useWords();
  const count = [
    format.plural(texts.chosen, seats.length),
    ...(extras > 0 ? [format.plural(texts.extrasCount, extras)] : []),
  ].join(" + ");
  return (
    <section class="chosen" aria-label={format.plural(texts.chosen, seats.length)}>
      <div class="chosen-top">
        <ul>
          {seats.map((seat) => (
            <li key={seat.id}>
              <button
                type="button"
                onClick={() => onDrop(seat)}
                aria-label={`${labelOf(seat)}, ${fill(texts.dropSeat, { seat: nameOf(seat) })}`}
              >
                <b>
                  {seat.section} {seat.row}/{seat.number}
                </b>
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
        <button type="button" class="quiet" disabled={busy} onClick={onClear}>
          {texts.clear}
        </button>
      </div>
      {hint === undefined ? null : (
        <p class="hint" role="alert">
          {hint}
        </p>
      )}
      <div class="chosen-act">
        <p role="status">
          <b>{format.money(total)}</b>
          <small>
            {count} · {texts.feesIn}
          </small>
        </p>
        <button
          type="button"
          disabled={busy || hint !== undefined}
          aria-busy={busy}
          onClick={onHold}
        >
          {busy ? texts.holding : texts.hold}
        </button>
      </div>
    </section>
  );
}
