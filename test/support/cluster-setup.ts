// One Redis Cluster for the whole run: the tests of the line that the `cluster` project repeats on it.
import type { TestProject } from "vitest/node";
import { startRedisCluster } from "./redis-cluster.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The nodes' addresses, separated by commas. Only where the line is tested on a cluster. */
    readonly lineCluster?: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startRedisCluster();
  project.provide("lineCluster", cluster.nodes.map(({ url }) => url).join(","));
  return () => cluster.stop();
}
