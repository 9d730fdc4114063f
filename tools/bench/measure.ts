// Both sides of a ratio in the same run, in turns, several times: what counts is the ratio of each
// turn, and how far the turns lie apart.

export type Measured = {
  readonly name: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly other: readonly number[];
  readonly against: string;
  readonly goal: string;
  readonly ratio: { readonly median: number; readonly min: number; readonly max: number };
  readonly met: boolean;
};

const medianOf = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;

export async function compare(options: {
  readonly name: string;
  readonly unit: string;
  readonly against: string;
  readonly atLeast: number;
  readonly turns: number;
  readonly ours: () => Promise<number>;
  readonly other: () => Promise<number>;
}): Promise<Measured> {
  const ours: number[] = [];
  const other: number[] = [];
  for (let turn = 0; turn < options.turns; turn += 1) {
    // Whoever goes first changes, so that a machine that slows down favours nobody.
    const sides = [
      async () => void ours.push(await options.ours()),
      async () => void other.push(await options.other()),
    ];
    for (const side of turn % 2 === 0 ? sides : sides.reverse()) await side();
  }
  const ratios = ours.map((value, i) => value / (other[i] ?? Number.NaN));
  const ratio = {
    median: medianOf(ratios),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
  };
  const { name, unit, against, atLeast } = options;
  console.log(`  ${name}: ${ratio.median.toFixed(2)} of ${against}`);
  const met = ratio.median >= atLeast;
  return { name, unit, ours, other, against, goal: `≥ ${atLeast}`, ratio, met };
}

export type Single = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: string;
  readonly met: boolean;
};

const shown = (list: readonly number[]): string => Math.round(medianOf(list)).toLocaleString("en");

export function renderMeasured(rows: readonly Measured[], singles: readonly Single[]): string {
  return [
    "| what | ours | against | theirs | ratio (median; least–most) | goal | met |",
    "| --- | ---: | --- | ---: | ---: | ---: | --- |",
    ...rows.map(
      ({ name, unit, ours, other, against, goal, ratio, met }) =>
        `| ${name} | ${shown(ours)} ${unit} | ${against} | ${shown(other)} ${unit} | ` +
        `${ratio.median.toFixed(2)}; ${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)} | ${goal} | ` +
        `${met ? "yes" : "**no**"} |`,
    ),
    "",
    "| what | measured | goal | met |",
    "| --- | ---: | ---: | --- |",
    ...singles.map(
      ({ name, value, unit, goal, met }) =>
        `| ${name} | ${Number(value.toPrecision(4))} ${unit} | ${goal} | ${met ? "yes" : "**no**"} |`,
    ),
  ].join("\n");
}
