/**
 * A texture for each price beside its colour, so that nobody needs to tell colours apart. The same
 * lines are drawn on the plan, on seats and in the legend. SVG path data on a 20 × 20 tile that repeats.
 */
export const ZONES_TOLD_APART = 8;

export const MARKS: readonly string[] = [
  "",
  "M-2 12 12 -2M8 22 22 8",
  "M10 7.5a2.5 2.5 0 1 0 .01 0M0 -2.5a2.5 2.5 0 1 0 .01 0M20 -2.5a2.5 2.5 0 1 0 .01 0M0 17.5a2.5 2.5 0 1 0 .01 0M20 17.5a2.5 2.5 0 1 0 .01 0",
  "M0 10H20",
  "M10 0V20",
  "M0 10H20M10 0V20",
  "M-2 8 12 22M8 -2 22 12",
  "M0 15 5 7 10 15 15 7 20 15",
];

export const markOf = (index: number): string => MARKS[index % ZONES_TOLD_APART] ?? "";
