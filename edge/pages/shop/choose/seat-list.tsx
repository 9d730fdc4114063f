import { useState } from "preact/hooks";
import { fill } from "../../kit/i18n.ts";
import { type House, type Seat, type Section, seatOf } from "../house/house.ts";
import { ZoneMark } from "../parts/zone-mark.tsx";
import { useWords } from "../words.ts";
import type { ZoneFacts } from "./zones.ts";

type Props = {
  house: House;
  zones: readonly ZoneFacts[];
  onlyZone: string | undefined;
  watchers: Readonly<Record<string, number>>;
  chosen: ReadonlyMap<string, Seat>;
  describe: (seat: Seat) => string;
  onToggle: (seat: Seat) => void;
  onLook: (section: Section | undefined) => void;
};

function seatsOf(section: Section, wanted: (seat: Seat) => boolean) {
  return section.rows
    .map((row) => ({
      id: row.id,
      seats: Array.from({ length: row.count }, (_, i) => seatOf(section, row, i)).filter(wanted),
    }))
    .filter(({ seats }) => seats.length > 0);
}

/** The same seats as the map, for whoever cannot use one. Only an opened section is drawn. */
export function SeatList(props: Props) {
  const { house, zones, onlyZone, watchers, chosen, describe, onToggle, onLook } = props;
  const { texts, format } = useWords();
  const [open, setOpen] = useState<string>();
  const [accessible, setAccessible] = useState(false);
  const hasAccessible = house.sections.some(({ rows }) =>
    rows.some(({ accessible: places }) => places.size > 0),
  );
  const isWanted = (seat: Seat) =>
    (seat.state === "available" || chosen.has(seat.id)) &&
    (onlyZone === undefined || seat.zone === onlyZone) &&
    (!accessible || seat.accessible || seat.companion);
  const shown = house.sections.filter(
    (section) => !accessible || section.rows.some((row) => row.accessible.size > 0),
  );
  const toggleOpen = (section: Section) => {
    const next = open === section.id ? undefined : section.id;
    setOpen(next);
    onLook(next === undefined ? undefined : section);
  };
  const pricesOf = ({ rows }: Section) =>
    zones.filter(({ id }) => rows.some(({ zone }) => zone === id));
  const sign = (seat: Seat) => (seat.accessible ? "♿ " : seat.companion ? "+ " : "");
  return (
    <div class="seat-list">
      {hasAccessible ? (
        <label class="check">
          <input
            type="checkbox"
            checked={accessible}
            onChange={(event) => setAccessible(event.currentTarget.checked)}
          />
          <span>{texts.accessibleOnly}</span>
        </label>
      ) : null}
      {shown.map((section) => (
        <div key={section.id}>
          <button
            type="button"
            class="quiet section"
            aria-expanded={open === section.id}
            onClick={() => toggleOpen(section)}
          >
            <span>
              {pricesOf(section).map(({ id, index }) => (
                <ZoneMark key={id} index={index} />
              ))}
              {section.name}
            </span>
            <small>
              <b>
                {pricesOf(section)
                  .map(({ price }) => format.money(price))
                  .join(", ")}
              </b>
              {" · "}
              {(watchers[section.id] ?? 0) > 0
                ? `${format.plural(texts.looking, watchers[section.id] ?? 0)} · `
                : ""}
              {section.available === 0
                ? texts.soldOut
                : format.plural(texts.left, section.available)}
            </small>
          </button>
          {open === section.id
            ? seatsOf(section, isWanted).map(({ id, seats }) => (
                <div class="seat-row" key={id}>
                  <span class="muted">{fill(texts.row, { row: id })}</span>
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
                        {sign(seat)}
                        {seat.number}
                      </button>
                    ))}
                  </div>
                </div>
              ))
            : null}
        </div>
      ))}
    </div>
  );
}
