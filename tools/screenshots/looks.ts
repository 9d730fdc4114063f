// How each page is pictured: on a phone and at a desk, light and dark, and on a small phone from right to
// left. Every part takes `--out DIR` and `--only desk-dark,…`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT_DIR } from "../services/root.ts";

export const LOOKS = {
  "phone-light": { width: 390, height: 844, colorScheme: "light", locale: "en-GB" },
  "phone-dark": { width: 390, height: 844, colorScheme: "dark", locale: "en-GB" },
  "desk-light": { width: 1280, height: 860, colorScheme: "light", locale: "en-GB" },
  "desk-dark": { width: 1280, height: 860, colorScheme: "dark", locale: "tr-TR" },
  "small-rtl": { width: 320, height: 640, colorScheme: "light", locale: "ar" },
} as const;
export type Look = keyof typeof LOOKS;

/** Where the pictures of a part go, and which looks are wanted. */
export function readWishes(part: string): { out: string; looks: Look[] } {
  const { values } = parseArgs({
    options: {
      out: { type: "string", default: join(ROOT_DIR, ".sira/screenshots") },
      only: { type: "string" },
    },
  });
  const out = join(values.out, part);
  mkdirSync(out, { recursive: true });
  const wanted = values.only?.split(",");
  const all = Object.keys(LOOKS) as Look[];
  return { out, looks: all.filter((look) => wanted?.includes(look) ?? true) };
}

/** A browser's context in this look, and the page's picture, whole unless it is a dialog. */
export const contextOf = (look: Look) => {
  const { width, height, ...rest } = LOOKS[look];
  return { viewport: { width, height }, ...rest };
};
