// The Redis that a suite of the line runs on: a private one, or, in the second run of the suite, a node
// of a real cluster.
import calculateSlot from "cluster-key-slot";
import { inject } from "vitest";
import { startRedis } from "../../support/redis.ts";

export interface LineServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Where the suites run for the second time. */
function clusterNode(): { url: string; lastSlot: number } | undefined {
  return inject("lineNode");
}

export async function openLineServer(): Promise<LineServer> {
  const node = clusterNode();
  return node === undefined ? await startRedis() : { url: node.url, stop: async () => {} };
}

let events = 0;

/** An event that nobody else has; in a cluster one whose keys belong to the suite's node. */
export function nextEvent(url: string): string {
  const node = clusterNode();
  for (;;) {
    events += 1;
    const event = node === undefined ? `e${events}` : `e${process.pid}-${events}`;
    if (node === undefined || url !== node.url || calculateSlot(event) <= node.lastSlot)
      return event;
  }
}
