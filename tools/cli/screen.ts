// What a watched sale looks like in a terminal. Pure: figures in, lines out.
import { styleText } from "node:util";
import type { Figures } from "../../edge/room/messages.ts";

const BARS = "▁▂▃▄▅▆▇█";
const SPARK_SECONDS = 60;
const LABEL_WIDTH = 14;

/** The last values as a row of bars, the highest full. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.slice(-width);
  const highest = Math.max(1, ...shown);
  return shown
    .map((value) => BARS[Math.round((Math.max(0, value) / highest) * (BARS.length - 1))] ?? " ")
    .join("");
}

/** How much a running total grew from one moment to the next. */
export function growth(totals: readonly number[]): number[] {
  return totals.slice(1).map((total, index) => Math.max(0, total - (totals[index] ?? total)));
}

export function drawScreen(figures: Figures, now: number, columns: number): string[] {
  const { history, seats, promises } = figures;
  const width = Math.max(10, Math.min(SPARK_SECONDS, columns - LABEL_WIDTH - 14));
  const seconds = history.perSecond;
  const ageS = Math.max(0, (now - Date.parse(figures.at)) / 1_000);
  const row = (label: string, value: string, spark: readonly number[] = []): string =>
    `  ${label.padEnd(LABEL_WIDTH)}${value.padStart(9)}  ${styleText("cyan", sparkline(spark, width))}`.trimEnd();
  const whole = (value: number): string => Math.round(value).toLocaleString("en");
  const share = (value: number): string => `${Math.round(value * 100)} %`;
  return [
    `  ${styleText("bold", figures.event)}  ${phaseText(figures)}  ${styleText("dim", `${ageS.toFixed(0)} s old`)}`,
    "",
    row(
      "waiting",
      whole(figures.waiting),
      seconds.map(({ waiting }) => waiting),
    ),
    row("number called", whole(figures.calling)),
    row(
      "at the door",
      whole(figures.door),
      seconds.map(({ door }) => door),
    ),
    row(
      "inside",
      whole(figures.inside),
      seconds.map(({ inside }) => inside),
    ),
    row("admitted", whole(figures.admitted), growth(seconds.map(({ admitted }) => admitted))),
    row("finished", whole(figures.finished), growth(seconds.map(({ finished }) => finished))),
    row("gone", whole(figures.gone)),
    "",
    `  ${"rate a minute".padEnd(LABEL_WIDTH)}${whole(figures.measuredPerMinute).padStart(9)}  of ${whole(figures.effectivePerMinute)}${figures.effectivePerMinute === figures.ratePerMinute ? "" : ` (set: ${whole(figures.ratePerMinute)})`}`,
    `  ${"no-shows".padEnd(LABEL_WIDTH)}${share(figures.noShowShare).padStart(9)}`,
    ...(promises === undefined || promises.made === 0
      ? []
      : [
          `  ${"waits kept".padEnd(LABEL_WIDTH)}${share(promises.kept / promises.made).padStart(9)}  of ${whole(promises.made)} promised`,
        ]),
    ...(seats === undefined
      ? []
      : [
          `  ${"seats".padEnd(LABEL_WIDTH)}${whole(seats.available).padStart(9)}  free, ${whole(seats.held)} held, ${whole(seats.paying)} being paid, ${whole(seats.sold)} sold`,
        ]),
    ...(figures.holding === undefined
      ? []
      : ["", `  ${styleText("yellow", `Nobody new is let in: ${figures.holding}`)}`]),
  ];
}

function phaseText({ phase, stale }: Figures): string {
  const colour = phase === "open" ? "green" : phase === "paused" ? "yellow" : "dim";
  return styleText(colour, phase) + (stale ? styleText("red", "  the line's store is away") : "");
}
