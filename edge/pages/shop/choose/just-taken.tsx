import { fill } from "../../kit/i18n.ts";
import { findSeat, type House, type Seat } from "../house/house.ts";
import { useWords } from "../words.ts";

type Props = {
  house: House;
  lost: readonly Seat[];
  /** Groups of seats, each one tap away. */
  groups: readonly (readonly string[])[];
  busy: boolean;
  onTake: (seats: readonly string[]) => void;
};

/** Somebody was faster: which seats, and what is free near them. The plan shows both as well. */
export function JustTaken({ house, lost, groups, busy, onTake }: Props) {
  const { texts, format } = useWords();
  const inWords = (ids: readonly string[]): string => {
    const seats = ids.map((id) => findSeat(house, id)).filter((seat) => seat !== undefined);
    const [first] = seats;
    if (!first) return ids.join(", ");
    const name = house.sections.find(({ id }) => id === first.section)?.name ?? first.section;
    const numbers = seats.map(({ number }) => number).sort((one, other) => one - other);
    return fill(texts.group, {
      section: name,
      row: first.row,
      seats:
        numbers.length > 1 ? `${numbers[0]}–${numbers.at(-1)}` : format.number(numbers[0] ?? 0),
    });
  };
  const isRun = (ids: readonly string[]) =>
    new Set(ids.map((id) => id.split("-", 2).join("-"))).size === 1;
  return (
    <div class="notice taken" role="alert">
      <p>
        {fill(texts.justTaken, {
          seats: lost.map((seat) => `${seat.section} ${seat.row}/${seat.number}`).join(", "),
        })}
      </p>
      {groups.length > 0 ? <p>{texts.tryInstead}</p> : null}
      {groups.length > 0 ? (
        <div class="actions">
          {groups.map((seats) => (
            <button key={seats.join()} type="button" disabled={busy} onClick={() => onTake(seats)}>
              {isRun(seats) ? inWords(seats) : seats.map((id) => inWords([id])).join(" + ")}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
