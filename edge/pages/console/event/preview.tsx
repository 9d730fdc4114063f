import { useEffect, useRef } from "preact/hooks";
import type { SeatMap } from "../../../../shared/contract/events.ts";
import { layHouse } from "../live/house-paint.ts";
import { Card } from "../parts/field.tsx";
import { useWords } from "../words.tsx";
import type { Draft } from "./draft.ts";
import { isoOf, isTimeZone } from "./zone-time.ts";

/** The house as fans will see it, coloured by price, before anything is saved. */
export function Preview({ draft }: { draft: Draft }) {
  const { plan, format } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current: element } = canvas;
    if (!element) return;
    const draw = () => paintPrices(element, draft);
    draw();
    const resize = new ResizeObserver(draw);
    if (element.parentElement) resize.observe(element.parentElement);
    return () => resize.disconnect();
  }, [draft]);
  const iso = isTimeZone(draft.timeZone) ? isoOf(draft.startsAt, draft.timeZone) : undefined;
  return (
    <Card title={plan.preview}>
      <div class="poster">
        <p class="poster-name">{draft.name || plan.name}</p>
        <p>
          {draft.venue}
          {iso === undefined ? null : ` · ${format.dateTime(iso, draft.timeZone)}`}
        </p>
      </div>
      <div class="house-box">
        <canvas ref={canvas} role="img" aria-label={plan.preview} />
      </div>
      <ul class="key">
        {draft.zones.map((zone, at) => (
          <li key={at}>
            <i class={`swatch zone-${at % 8}`} /> {zone.name}{" "}
            <b>
              {/^[A-Z]{3}$/.test(draft.currency)
                ? format.money({ amount: zone.price, currency: draft.currency })
                : zone.price}
            </b>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A letter a zone, so that the layout of the live map serves here, too. */
const letterOf = (at: number) => String.fromCharCode(97 + (at % 8));

function paintPrices(canvas: HTMLCanvasElement, draft: Draft): void {
  const index = new Map(draft.zones.map(({ id }, at) => [id, at]));
  const house: Pick<SeatMap, "sections"> = {
    sections: draft.sections.map(({ id, name, rows }) => ({
      id,
      name,
      available: rows.reduce((sum, { seats }) => sum + seats.length, 0),
      rows: rows.map((row) => ({
        id: row.id,
        zone: row.zone,
        numbers: row.seats.length,
        status: row.seats
          .map(({ blocked }) => (blocked ? "x" : letterOf(index.get(row.zone) ?? 0)))
          .join(""),
      })),
    })),
  };
  const laid = layHouse(house, canvas.parentElement?.clientWidth ?? 300, false);
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round((canvas.parentElement?.clientWidth ?? 300) * scale);
  canvas.height = Math.round(laid.height * scale);
  canvas.style.setProperty("height", `${laid.height}px`);
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const size = Math.max(1, laid.cell - (laid.cell > 4 ? 1.5 : 0.4));
  pen.font = `600 13px ${style.fontFamily}`;
  pen.textAlign = "left";
  pen.direction = "ltr";
  pen.fillStyle = style.getPropertyValue("--muted");
  for (const { x, y, text } of laid.names) pen.fillText(text, x, y);
  for (const row of laid.rows)
    [...row.status].forEach((letter, i) => {
      const at = letter.charCodeAt(0) - 97;
      pen.fillStyle = style.getPropertyValue(letter === "x" ? "--line" : `--zone-${at}`);
      pen.fillRect(row.x + i * laid.cell, row.y, size, size);
    });
}
