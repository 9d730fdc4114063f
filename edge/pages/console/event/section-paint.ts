import type { DraftSection, DraftZone } from "./draft.ts";
import type { Spot } from "./paint.ts";

/** One section as large squares, a row a line, ready to be painted on. */

const CELL = 22;
const LABEL = 40;
const PAD = 6;

const columnsOf = (section: DraftSection): number =>
  Math.max(1, ...section.rows.map(({ seats }) => seats.length));

export const widthOf = (section: DraftSection): number =>
  LABEL * 2 + columnsOf(section) * CELL + PAD * 2;

const leftOf = (section: DraftSection, row: number): number => {
  const count = section.rows[row]?.seats.length ?? 0;
  return PAD + LABEL + ((columnsOf(section) - count) * CELL) / 2;
};

/** The seat under the pointer. */
export function spotAt(
  canvas: HTMLCanvasElement,
  section: DraftSection,
  event: { clientX: number; clientY: number },
): Spot | undefined {
  const box = canvas.getBoundingClientRect();
  const scale = widthOf(section) / Math.max(1, box.width);
  const row = Math.floor(((event.clientY - box.top) * scale - PAD) / CELL);
  const seat = Math.floor(((event.clientX - box.left) * scale - leftOf(section, row)) / CELL);
  const seats = section.rows[row]?.seats;
  return seats && seat >= 0 && seat < seats.length ? { row, seat } : undefined;
}

export function drawSection(
  canvas: HTMLCanvasElement,
  section: DraftSection,
  zones: readonly DraftZone[],
  cursor: Spot | undefined,
): void {
  const width = widthOf(section);
  const height = section.rows.length * CELL + PAD * 2;
  const scale = devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.setProperty("aspect-ratio", `${width} / ${height}`);
  canvas.style.setProperty("width", `${width}px`);
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const fills = new Map(zones.map(({ id }, at) => [id, colour(`--zone-${at % 8}`)]));
  const ink = colour("--ink");
  const muted = colour("--muted");
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  section.rows.forEach((row, at) => {
    const y = PAD + at * CELL;
    const left = leftOf(section, at);
    pen.font = `600 12px ${style.fontFamily}`;
    pen.fillStyle = muted;
    pen.fillText(row.id, PAD + LABEL / 2, y + CELL / 2);
    row.seats.forEach((seat, i) => {
      const x = left + i * CELL;
      const size = CELL - 4;
      pen.beginPath();
      pen.roundRect(x + 2, y + 2, size, size, 5);
      pen.globalAlpha = seat.blocked ? 0.25 : 1;
      pen.fillStyle = fills.get(row.zone) ?? muted;
      pen.fill();
      pen.globalAlpha = 1;
      const mark = seat.blocked
        ? "×"
        : { general: "", accessible: "♿", companion: "+" }[seat.kind];
      if (mark !== "") {
        pen.font = `700 13px ${style.fontFamily}`;
        pen.fillStyle = seat.blocked ? ink : colour("--on-zone");
        pen.fillText(mark, x + CELL / 2, y + CELL / 2 + 0.5);
      }
      if (cursor?.row === at && cursor.seat === i) {
        pen.strokeStyle = ink;
        pen.lineWidth = 2.5;
        pen.stroke();
      }
    });
  });
}
