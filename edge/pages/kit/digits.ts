/**
 * The board's figures: seven-segment lamps, as over the counters of every bank and post office.
 * They need no font, read the same in every language, and only what changed lights up or goes out.
 */

const SVG = "http://www.w3.org/2000/svg";
/** Segments a…g around a 60 × 100 cell, slanted by the style sheet. */
const SEGMENTS = [
  "M14 4h32l5 5-6 6H15L9 9z",
  "M53 11l5 5v26l-5 6-6-6V17z",
  "M53 52l5 6v26l-5 5-6-6V58z",
  "M15 85h30l6 6-5 5H14l-5-5z",
  "M7 52l6 6v25l-6 6-5-5V58z",
  "M7 11l6 6v25l-6 6-5-6V16z",
  "M15 44h30l6 6-6 6H15l-6-6z",
] as const;
const LIT: Readonly<Record<string, string>> = {
  "0": "abcdef",
  "1": "bc",
  "2": "abged",
  "3": "abgcd",
  "4": "fgbc",
  "5": "afgcd",
  "6": "afgedc",
  "7": "abc",
  "8": "abcdefg",
  "9": "abcdfg",
  "-": "g",
};

function makeCell(): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 60 100");
  for (const shape of SEGMENTS) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", shape);
    svg.append(path);
  }
  return svg;
}

function makeColon(): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 20 100");
  svg.classList.add("colon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", "M5 27h10v11H5zM5 62h10v11H5z");
  path.classList.add("on");
  svg.append(path);
  return svg;
}

/**
 * Shows text of digits, `-`, `:` and spaces (dark cells). The element is a picture; who cannot see
 * it reads the label that the caller writes beside it.
 */
export function showDigits(board: HTMLElement, text: string): void {
  const shape = text.replace(/[^:]/g, "8");
  if (board.dataset["shape"] !== shape) {
    board.dataset["shape"] = shape;
    board.style.setProperty("--cells", String(shape.length));
    board.replaceChildren(...[...shape].map((mark) => (mark === ":" ? makeColon() : makeCell())));
  }
  [...text].forEach((mark, index) => {
    if (mark === ":") return;
    const lit = LIT[mark] ?? "";
    [...(board.children[index]?.children ?? [])].forEach((segment, s) => {
      segment.classList.toggle("on", lit.includes("abcdefg".charAt(s)));
    });
  });
}
