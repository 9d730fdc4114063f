import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import { useWords } from "../words.tsx";

export type Series = {
  label: string;
  colour: string;
  values: (number | null)[];
  dash?: number[];
  isArea?: boolean;
};
type Props = { title: string; times: number[]; series: Series[]; height?: number };

/** A time series. Times are in seconds, as uPlot has them; colours name custom properties. */
export function Chart({ title, times, series, height = 210 }: Props) {
  const { format, language } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  useEffect(() => {
    const { current: element } = box;
    if (!element) return;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const draw = () => {
      plot.current?.destroy();
      plot.current = new UPlot(
        optionsOf(element, series, height, format),
        dataOf(times, series),
        element,
      );
    };
    draw();
    dark.addEventListener("change", draw);
    const resize = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height }),
    );
    resize.observe(element);
    return () => {
      dark.removeEventListener("change", draw);
      resize.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [language, series.length]);
  useEffect(() => plot.current?.setData(dataOf(times, series)), [times, series]);
  const latest = series
    .map(({ label, values }) => {
      const last = values.findLast((value) => value !== null);
      return `${label}: ${last === undefined || last === null ? "–" : format.number(last)}`;
    })
    .join(", ");
  return (
    <figure class="card chart">
      <figcaption>
        <span>{title}</span>
        <ul>
          {series.map(({ label, colour, values }) => (
            <li key={label}>
              <i class={colour.slice(2)} /> {label} <b>{lastOf(values, format.number)}</b>
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={box} role="img" aria-label={`${title}. ${latest}`} dir="ltr" />
    </figure>
  );
}

const lastOf = (values: readonly (number | null)[], number: (n: number) => string): string => {
  const last = values.findLast((value) => value !== null);
  return last === undefined || last === null ? "–" : number(last);
};

const dataOf = (times: number[], series: readonly Series[]): UPlot.AlignedData => [
  times,
  ...series.map((line) => line.values),
];

function optionsOf(
  element: HTMLElement,
  series: readonly Series[],
  height: number,
  format: { number: (n: number) => string; time: (at: number) => string },
): UPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: `13px ${style.fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height,
    cursor: { y: false, points: { show: false } },
    legend: { show: false },
    scales: { y: { range: (_, low, high) => [Math.min(0, low), Math.max(5, high * 1.1)] } },
    axes: [
      { ...axis, values: (_, splits) => splits.map((at) => format.time(at * 1000)) },
      { ...axis, size: 56, values: (_, splits) => splits.map(format.number) },
    ],
    series: [
      {},
      ...series.map((line) => ({
        label: line.label,
        stroke: colour(line.colour),
        width: 2,
        points: { show: false },
        ...(line.dash ? { dash: line.dash } : {}),
        ...(line.isArea ? { fill: `${colour(line.colour)}22` } : {}),
      })),
    ],
  };
}
