import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";

export type Series = { label: string; colour: string; values: (number | null)[]; dash?: number[] };
type Props = { title: string; times: number[]; series: Series[]; height?: number };

/** A time series. Times are in seconds, as uPlot has them; colours name custom properties. */
export function Chart({ title, times, series, height = 200 }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  useEffect(() => {
    const { current: element } = box;
    if (!element) return;
    const style = getComputedStyle(element);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour("--muted"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { stroke: colour("--line"), width: 1 },
      font: `13px ${style.fontFamily}`,
    };
    const made = new UPlot(
      {
        width: element.clientWidth,
        height,
        cursor: { y: false },
        legend: { live: true },
        axes: [axis, { ...axis, size: 56 }],
        series: [
          {},
          ...series.map((line) => ({
            label: line.label,
            stroke: colour(line.colour),
            width: 2,
            points: { show: false },
            ...(line.dash ? { dash: line.dash } : {}),
          })),
        ],
      },
      [times, ...series.map((line) => line.values)],
      element,
    );
    plot.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => {
    plot.current?.setData([times, ...series.map((line) => line.values)]);
  }, [times, series]);
  return (
    <figure class="card chart">
      <figcaption>{title}</figcaption>
      <div ref={box} />
    </figure>
  );
}
