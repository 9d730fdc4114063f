import { useEffect, useRef, useState } from "preact/hooks";
import { fill } from "../../kit/i18n.ts";
import { useWords } from "../words.tsx";
import type { DraftSection, DraftZone } from "./draft.ts";
import type { Spot } from "./paint.ts";
import { drawSection, spotAt, widthOf } from "./section-paint.ts";

type Props = {
  section: DraftSection;
  zones: readonly DraftZone[];
  onPaint: (spots: Spot[]) => void;
};

const MOVES: Readonly<Record<string, [rows: number, seats: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Painted by pointer, or seat by seat with the arrow keys and the space bar. */
export function SeatCanvas({ section, zones, onPaint }: Props) {
  const { plan } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const painting = useRef<Spot[] | undefined>(undefined);
  const [cursor, setCursor] = useState<Spot>({ row: 0, seat: 0 });
  const [hasFocus, setFocus] = useState(false);
  useEffect(() => {
    const { current: element } = canvas;
    if (!element) return;
    const draw = () => drawSection(element, section, zones, hasFocus ? cursor : undefined);
    draw();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    return () => dark.removeEventListener("change", draw);
  }, [section, zones, cursor, hasFocus]);

  const touch = (event: PointerEvent) => {
    const { current: element } = canvas;
    const spot = element ? spotAt(element, section, event) : undefined;
    const spots = painting.current;
    if (!spot || !spots) return;
    if (spots.some(({ row, seat }) => row === spot.row && seat === spot.seat)) return;
    spots.push(spot);
    onPaint([spot]);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      return onPaint([cursor]);
    }
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    const row = Math.max(0, Math.min(section.rows.length - 1, cursor.row + move[0]));
    const last = (section.rows[row]?.seats.length ?? 1) - 1;
    setCursor({ row, seat: Math.max(0, Math.min(last, cursor.seat + move[1])) });
  };
  const row = section.rows[cursor.row];
  const seat = row?.seats[cursor.seat];
  if (section.rows.length === 0) return <p class="empty">{plan.noRows}</p>;
  return (
    <div
      class="paint-box"
      role="application"
      aria-label={fill(plan.canvas, { section: section.name })}
    >
      <canvas
        ref={canvas}
        tabIndex={0}
        width={widthOf(section)}
        onKeyDown={press}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          painting.current = [];
          touch(event);
        }}
        onPointerMove={touch}
        onPointerUp={() => {
          painting.current = undefined;
        }}
        onPointerCancel={() => {
          painting.current = undefined;
        }}
      />
      <p class="sr" role="status">
        {hasFocus && row && seat
          ? fill(plan.seatSays, {
              row: row.id,
              seat: String(seat.number),
              price: zones.find(({ id }) => id === row.zone)?.name ?? row.zone,
              kind: seat.blocked ? plan.brushBlock : plan.kinds[seat.kind],
            })
          : ""}
      </p>
    </div>
  );
}
