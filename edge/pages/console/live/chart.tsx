import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import type { Format } from "../../kit/i18n.ts";
import { useWords } from "../words.tsx";
import { Figure } from "./figure.tsx";

export type Series = {
  /** The name of its last value among the desk's figures. */
  figure: string;
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
      const last = lastOf(values);
      return `${label}: ${last === undefined ? "–" : format.number(last)}`;
    })
    .join(", ");
  return (
    <figure class="card chart">
      <figcaption>
        <span>{title}</span>
        <ul>
          {series.map(({ figure, label, colour, values }) => {
            const last = lastOf(values);
            return (
              <li key={label}>
                <i class={colour.slice(2)} /> {label}{" "}
                <b>
                  {last === undefined ? (
                    "–"
                  ) : (
                    <Figure name={figure} value={last}>
                      {format.number(last)}
                    </Figure>
                  )}
                </b>
              </li>
            );
          })}
        </ul>
      </figcaption>
      <div ref={box} role="img" aria-label={`${title}. ${latest}`} dir="ltr" />
    </figure>
  );
}

const lastOf = (values: readonly (number | null)[]): number | undefined =>
  values.findLast((value) => value !== null) ?? undefined;

const dataOf = (times: number[], series: readonly Series[]): UPlot.AlignedData => [
  times,
  ...series.map((line) => line.values),
];

function optionsOf(
  element: HTMLElement,
  series: readonly Series[],
  height: number,
  format: Pick<Format, "number" | "time" | "timeOfDay">,
): UPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: `13px ${style.fontFamily}`,
  };
  /** Marks that lie less than a minute apart would all say the same minute. */
  const formatAt = (ms: number, [first = 0, second = 0]: number[]) =>
    second - first < 60 ? format.timeOfDay(ms) : format.time(ms);
  return {
    width: element.clientWidth,
    height,
    cursor: { y: false, points: { show: false } },
    legend: { show: false },
    scales: { y: { range: (_, low, high) => [Math.min(0, low), Math.max(5, high * 1.1)] } },
    axes: [
      {
        ...axis,
        space: 90,
        values: (_, splits) => splits.map((at) => formatAt(at * 1000, splits)),
      },
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
