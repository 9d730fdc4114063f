import { useWords } from "../words.tsx";
import type { DraftZone } from "./draft.ts";
import type { Brush } from "./paint.ts";

type Props = { zones: readonly DraftZone[]; brush: Brush; onBrush: (brush: Brush) => void };

const keyOf = (brush: Brush): string =>
  brush.kind === "price"
    ? `price ${brush.zone}`
    : brush.kind === "seat"
      ? `seat ${brush.seat}`
      : brush.kind;

export function Brushes({ zones, brush, onBrush }: Props) {
  const { plan } = useWords();
  const kinds: [Brush, string, string][] = [
    [{ kind: "seat", seat: "general" }, plan.brushGeneral, "general"],
    [{ kind: "seat", seat: "accessible" }, plan.brushAccessible, "accessible"],
    [{ kind: "seat", seat: "companion" }, plan.brushCompanion, "companion"],
    [{ kind: "block" }, plan.brushBlock, "blocked"],
    [{ kind: "unblock" }, plan.brushUnblock, "unblock"],
    [{ kind: "remove" }, plan.brushRemove, "remove"],
  ];
  const button = (each: Brush, text: string, swatch: string) => (
    <button
      key={keyOf(each)}
      type="button"
      class="quiet small brush"
      aria-pressed={keyOf(each) === keyOf(brush)}
      onClick={() => onBrush(each)}
    >
      <i class={`swatch ${swatch}`} aria-hidden="true" /> {text}
    </button>
  );
  return (
    <fieldset class="brushes" aria-label={plan.brushes}>
      {zones.map((zone, at) =>
        zone.kind === "seated"
          ? button({ kind: "price", zone: zone.id }, zone.name, `zone-${at % 8}`)
          : null,
      )}
      {kinds.map(([each, text, swatch]) => button(each, text, swatch))}
    </fieldset>
  );
}
