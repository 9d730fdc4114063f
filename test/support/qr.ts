// Reads a QR code out of its rendered SVG, as a scanner would from a screen: modules from the drawn
// lines, then the symbol itself (ISO/IEC 18004, level M, versions 1 to 10). A clean picture has no
// errors to correct, so the correction words are left alone; they are not needed to read.

type Modules = readonly (readonly boolean[])[];

/** Data words of each block at level M, by version. */
const BLOCKS_M: readonly (readonly number[])[] = [
  [16],
  [28],
  [44],
  [32, 32],
  [43, 43],
  [27, 27, 27, 27],
  [31, 31, 31, 31],
  [38, 38, 39, 39],
  [36, 36, 36, 37, 37],
  [43, 43, 43, 43, 44],
];
const ALIGNMENT: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];
const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];
const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

/** Horizontal strokes `M<x> <y>h<n>`, moved on by `m<dx> <dy>`, on a grid of modules. */
function modulesOf(svg: string): Modules {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const path = /stroke="#000000" d="([^"]+)"/.exec(svg)?.[1] ?? "";
  const grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  let [x, y] = [0, 0];
  for (const [, kind, a = "0", b = "0"] of path.matchAll(
    /([Mmh])(-?[\d.]+)(?:[ ,]?(-?[\d.]+))?/g,
  )) {
    if (kind === "M") [x, y] = [Number(a), Number(b)];
    else if (kind === "m") [x, y] = [x + Number(a), y + Number(b)];
    else {
      for (let i = 0; i < Number(a); i += 1) {
        const row = grid[Math.floor(y)];
        if (row) row[x + i] = true;
      }
      x += Number(a);
    }
  }
  const dark = grid.flatMap((row, r) => (row.includes(true) ? [r] : []));
  const [first = 0, last = 0] = [dark[0], dark.at(-1)];
  return grid.slice(first, last + 1).map((row) => row.slice(first, last + 1));
}

const at = (modules: Modules, row: number, column: number): boolean =>
  modules[row]?.[column] === true;

/** Finder, timing, alignment, format and version modules carry no data. */
function isFunction(version: number, size: number, row: number, column: number): boolean {
  const near = (r: number, c: number) => row >= r && row < r + 9 && column >= c && column < c + 9;
  if (near(0, 0) || near(0, size - 8) || near(size - 8, 0)) return true;
  if (row === 6 || column === 6) return true;
  if (version >= 7) {
    if (row < 6 && column >= size - 11 && column < size - 8) return true;
    if (column < 6 && row >= size - 11 && row < size - 8) return true;
  }
  const places = ALIGNMENT[version - 1] ?? [];
  return places.some((r) =>
    places.some((c) => {
      const inFinder =
        (r === 6 && c === 6) || (r === 6 && c === size - 7) || (r === size - 7 && c === 6);
      return !inFinder && Math.abs(row - r) <= 2 && Math.abs(column - c) <= 2;
    }),
  );
}

function wordsOf(modules: Modules): { version: number; words: number[] } {
  const size = modules.length;
  const version = (size - 17) / 4;
  // Format bits 14…0 run along row 8; they are masked with 101010000010010.
  const columns = [0, 1, 2, 3, 4, 5, 7, 8];
  const head = columns.map((column) => (at(modules, 8, column) ? 1 : 0)).join("");
  const format = Number.parseInt(head, 2) ^ 0b10101000;
  const level = format >> 6;
  if (level !== 0b00) throw new Error(`level ${level}, not M`);
  const mask = MASKS[(format >> 3) & 0b111];
  if (!mask) throw new Error("no such mask");
  const bits: number[] = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i += 1) {
      const row = up ? size - 1 - i : i;
      for (const column of [right, right - 1])
        if (!isFunction(version, size, row, column))
          bits.push(at(modules, row, column) !== mask(row, column) ? 1 : 0);
    }
  }
  const words: number[] = [];
  for (let i = 0; i + 8 <= bits.length; i += 8)
    words.push(Number.parseInt(bits.slice(i, i + 8).join(""), 2));
  return { version, words };
}

/** Blocks are dealt out word by word; the longer ones have one more at the end. */
function joinBlocks(version: number, words: readonly number[]): number[] {
  const lengths = BLOCKS_M[version - 1];
  if (!lengths) throw new Error(`version ${version} is not read here`);
  const blocks: number[][] = lengths.map(() => []);
  let next = 0;
  for (let i = 0; i < Math.max(...lengths); i += 1)
    lengths.forEach((length, block) => {
      if (i < length) blocks[block]?.push(words[next++] ?? 0);
    });
  return blocks.flat();
}

function textOf(version: number, data: readonly number[]): string {
  const bits = data.map((word) => word.toString(2).padStart(8, "0")).join("");
  let place = 0;
  const take = (count: number): number => {
    const value = Number.parseInt(bits.slice(place, place + count), 2);
    place += count;
    return value;
  };
  const long = version >= 10;
  const bytes: number[] = [];
  const say = (text: string) => bytes.push(...Buffer.from(text));
  while (place + 4 <= bits.length) {
    const mode = take(4);
    if (mode === 0) break;
    if (mode === 1) {
      for (let left = take(long ? 12 : 10); left > 0; left -= 3) {
        const digits = Math.min(3, left);
        say(String(take([0, 4, 7, 10][digits] ?? 0)).padStart(digits, "0"));
      }
    } else if (mode === 2) {
      for (let left = take(long ? 11 : 9); left > 0; left -= 2) {
        const pair = left >= 2 ? take(11) : take(6);
        if (left >= 2) say(ALPHANUMERIC[Math.floor(pair / 45)] ?? "");
        say(ALPHANUMERIC[pair % 45] ?? "");
      }
    } else if (mode === 4) {
      const count = take(long ? 16 : 8);
      for (let i = 0; i < count; i += 1) bytes.push(take(8));
    } else throw new Error(`mode ${mode} is not read here`);
  }
  return Buffer.from(bytes).toString("utf8");
}

export function readQrSvg(svg: string): string {
  const { version, words } = wordsOf(modulesOf(svg));
  return textOf(version, joinBlocks(version, words));
}
