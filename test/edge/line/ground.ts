// Where the tests of the line stand: a Redis server of the file's own, or, when the same file runs in
// the `cluster` project, the run's three-node cluster.
import { Cluster, Redis } from "ioredis";
import { inject } from "vitest";
import { startRedis } from "../../support/redis.ts";

export interface Ground {
  /** For `openRig` and `openLine`. */
  readonly url: string;
  /** To look at the keys and to wipe them. */
  readonly redis: Redis | Cluster;
  stop(): Promise<void>;
}

/** The same file twice in a run: the second time its longest tests take fewer steps. */
export const isCluster = inject("lineCluster") !== undefined;
const CLUSTER_SHARE = 0.2;

export const stepsOf = (full: number): number =>
  isCluster ? Math.ceil(full * CLUSTER_SHARE) : full;

export async function openGround(): Promise<Ground> {
  const cluster = inject("lineCluster");
  if (cluster === undefined) {
    const server = await startRedis();
    const redis = new Redis(server.url);
    return {
      url: server.url,
      redis,
      async stop() {
        redis.disconnect();
        await server.stop();
      },
    };
  }
  const redis = new Cluster(cluster.split(","));
  return {
    url: cluster,
    redis,
    async stop() {
      redis.disconnect();
    },
  };
}
