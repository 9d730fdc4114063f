import { MARKS, ZONES_TOLD_APART } from "../map/marks.ts";

/** A price's colour and texture, as on the plan. */
export function ZoneMark({ index }: { index: number }) {
  const zone = index % ZONES_TOLD_APART;
  return (
    <svg class="zone-mark" viewBox="0 0 20 20" aria-hidden="true">
      <rect width="20" height="20" rx="5" class={`fill-${zone}`} />
      <path d={MARKS[zone] ?? ""} class="texture" />
    </svg>
  );
}
