import { ZONES_TOLD_APART } from "./marks.ts";

/** The page's own colours, read from its style sheet: light, dark and forced ones alike. */
export type Palette = {
  zones: string[];
  surface: string;
  block: string;
  ink: string;
  muted: string;
  line: string;
  lamp: string;
  onLamp: string;
  onZone: string;
  font: string;
};

export function readPalette(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    zones: Array.from({ length: ZONES_TOLD_APART }, (_, i) => of(`--zone-${i}`)),
    surface: of("--surface"),
    block: of("--block"),
    ink: of("--ink"),
    muted: of("--muted"),
    line: of("--line"),
    lamp: of("--lamp"),
    onLamp: of("--on-lamp"),
    onZone: of("--on-zone"),
    font: style.fontFamily,
  };
}

/** Calls back whenever the colours may have become others. */
export function watchColours(onChange: () => void): () => void {
  const queries = [
    "(prefers-color-scheme: dark)",
    "(forced-colors: active)",
    "(prefers-contrast: more)",
  ].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener("change", onChange);
  return () => {
    for (const query of queries) query.removeEventListener("change", onChange);
  };
}
