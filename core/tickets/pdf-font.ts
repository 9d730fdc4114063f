// The letters of printed tickets: DejaVu Sans, which has Latin, Cyrillic, Greek, Hebrew and Arabic. The
// fonts that every PDF reader has know Latin-1 only and would break ş, ğ and ı.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (url: string): Buffer => readFileSync(fileURLToPath(url));

let fonts: { plain: Buffer; bold: Buffer } | undefined;

/** Read at the first ticket and kept: 1.5 MB. A ticket carries only the letters that it uses. */
export function ticketFonts(): { plain: Buffer; bold: Buffer } {
  fonts ??= {
    plain: read(import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf")),
    bold: read(import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf")),
  };
  return fonts;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;

export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/**
 * The words of a line that is written from the right, in the order in which they are drawn from the
 * left. The font engine shapes and turns the letters of each word; words that are written from the
 * left keep their own order among themselves.
 */
export function drawingOrder(words: readonly string[]): string[] {
  const drawn: string[] = [];
  let run: string[] = [];
  for (const word of words) {
    if (isRightToLeft(word)) {
      drawn.unshift(word, ...run);
      run = [];
    } else run.push(word);
  }
  return [...run, ...drawn];
}
