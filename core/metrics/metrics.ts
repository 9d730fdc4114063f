import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { createMetricsReader } from "../supervisor/metrics.ts";

/** One registry a process, made at start. Nouns add their own with `metrics.counter(…)`. */
export type Metrics = {
  readonly registry: Registry;
  /** The text of `/metrics`: of all processes behind the port. */
  render(): Promise<string>;
  counter<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
  ): Counter<Label>;
  gauge<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    collect?: (gauge: Gauge<Label>) => void,
  ): Gauge<Label>;
  histogram<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    buckets?: number[],
  ): Histogram<Label>;
};

const HTTP_BUCKETS_S = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Asking for a name that is there gives the same one, so two users of a metric need not meet. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const known = new Map<string, Counter | Gauge | Histogram>();
  return {
    registry,
    render: createMetricsReader(registry),
    counter(name, help, labels = []) {
      const found = known.get(name);
      if (found instanceof Counter) return found;
      const made = new Counter({ name, help, labelNames: [...labels], registers: [registry] });
      known.set(name, made);
      return made;
    },
    gauge(name, help, labels = [], collect) {
      const found = known.get(name);
      if (found instanceof Gauge) return found;
      const made: Gauge<(typeof labels)[number]> = new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        // What a process reads of itself adds up; what jobs read of the whole system is one figure.
        aggregator: collect ? "sum" : "max",
        ...(collect ? { collect: () => collect(made) } : {}),
      });
      known.set(name, made);
      return made;
    },
    histogram(name, help, labels = [], buckets = HTTP_BUCKETS_S) {
      const found = known.get(name);
      if (found instanceof Histogram) return found;
      const made = new Histogram({
        name,
        help,
        labelNames: [...labels],
        buckets,
        registers: [registry],
      });
      known.set(name, made);
      return made;
    },
  };
}
