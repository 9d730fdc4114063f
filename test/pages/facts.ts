// A status document as the gate writes it, for tests of the page's decisions.
import type { StatusDocument } from "../../shared/contract/queue.ts";

export const NOW = Date.parse("2027-01-16T10:00:00Z");

export const describeStatus = (changes: Partial<StatusDocument> = {}): StatusDocument => ({
  event: "e",
  epoch: 1,
  v: 10,
  phase: "open",
  stale: false,
  opensAt: new Date(NOW - 600_000).toISOString(),
  now: new Date(NOW).toISOString(),
  pool: { count: 0 },
  issued: 9_000,
  calling: 100,
  waiting: 8_900,
  inside: 50,
  admitted: 100,
  ratePerMinute: 100,
  measuredPerMinute: 98,
  wait: { perThousandMs: 600_000, low: 500_000, high: 700_000 },
  poll: { nearMs: 2_000, farMs: 30_000, nearAhead: 50 },
  early: "fifo",
  binding: "dpop",
  ...changes,
});
