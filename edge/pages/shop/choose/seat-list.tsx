import { useState } from "preact/hooks";
import { fill } from "../../kit/i18n.ts";
import type { House, Seat, Section } from "../house/house.ts";
import { useWords } from "../words.tsx";

type Props = {
  house: House;
  chosen: ReadonlySet<string>;
  describe: (seat: Seat) => string;
  onToggle: (seat: Seat) => void;
};

/** The same seats as the map, for whoever cannot use one. Only an opened section is drawn. */
export function SeatList({ house, chosen, describe, onToggle }: Props) {
  const { texts, format } = useWords();
  const [open, setOpen] = useState<string>();
  const rowsOf = (section: Section) =>
    section.rows.map((row) => {
      const seats = section.seats
        .slice(row.first, row.first + row.count)
        .filter((seat) => seat.state === "available" || chosen.has(seat.id));
      if (seats.length === 0) return null;
      return (
        <div class="seat-row" key={row.id}>
          <span class="muted">{fill(texts.row, { row: row.id })}</span>
          <div>
            {seats.map((seat) => (
              <button
                key={seat.id}
                type="button"
                class="seat quiet"
                aria-pressed={chosen.has(seat.id)}
                aria-label={describe(seat)}
                onClick={() => onToggle(seat)}
              >
                {seat.accessible ? "♿ " : ""}
                {seat.number}
              </button>
            ))}
          </div>
        </div>
      );
    });
  return (
    <div class="seat-list">
      {house.sections.map((section) => (
        <div key={section.id}>
          <button
            type="button"
            class="quiet section"
            aria-expanded={open === section.id}
            onClick={() => setOpen(open === section.id ? undefined : section.id)}
          >
            <span>{section.name}</span>
            <small>
              {section.available === 0
                ? texts.soldOut
                : format.plural(texts.left, section.available)}
            </small>
          </button>
          {open === section.id ? rowsOf(section) : null}
        </div>
      ))}
    </div>
  );
}
