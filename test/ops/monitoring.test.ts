// What `ops/` has for Prometheus and Grafana, read by their own grammar.
import { readFile } from "node:fs/promises";
import { parser } from "@prometheus-io/lezer-promql";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const readJson = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`../../ops/${name}`, import.meta.url), "utf8"));

const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ expr: z.string() })) })),
});
const dashboardSchema = z.object({
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string() })),
    }),
  ),
});

/** Everything that Prometheus's own grammar does not understand. */
function faultsIn(expr: string): string[] {
  const faults: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) faults.push(`${expr} <- at ${from}: "${expr.slice(from, to)}"`);
    },
  });
  return faults;
}

describe("the files for other people's monitoring", () => {
  test("hold only expressions that Prometheus can read", async () => {
    const rules = rulesSchema.parse(await readJson("prometheus-rules.json"));
    const { panels } = dashboardSchema.parse(await readJson("grafana-dashboard.json"));
    const all = [
      ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(all.flatMap(faultsIn)).toEqual([]);
    expect(faultsIn("sum by (route (rate(sira_http_seconds_count[1m]))")).not.toEqual([]);
  });

  test("draw no panel over another, and name each query of one apart", async () => {
    const { panels } = dashboardSchema.parse(await readJson("grafana-dashboard.json"));
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { title, targets } of panels)
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
  });
});
