// A Redis Cluster of three nodes without replicas, as small as one can be that spreads its slots.
import { Redis } from "ioredis";
import { type RunningRedis, startRedis } from "./redis.ts";

const SLOTS = 16_384;
const NODES = 3;
const TOGETHER_MS_MAX = 30_000;

export interface RunningCluster {
  readonly nodes: readonly RunningRedis[];
  /** A client for each node, by itself. */
  readonly admins: readonly Redis[];
  stop(): Promise<void>;
}

export async function startRedisCluster(): Promise<RunningCluster> {
  const args = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"];
  const nodes = await Promise.all(Array.from({ length: NODES }, () => startRedis({ args })));
  const admins = nodes.map((node) => new Redis(node.url));
  const share = Math.ceil(SLOTS / NODES);
  for (const [i, admin] of admins.entries()) {
    const last = Math.min(SLOTS, (i + 1) * share) - 1;
    await admin.call("CLUSTER", "ADDSLOTSRANGE", String(i * share), String(last));
    for (const node of nodes) await admin.call("CLUSTER", "MEET", "127.0.0.1", String(node.port));
  }
  const isWhole = async (admin: Redis) => {
    const info = String(await admin.call("CLUSTER", "INFO"));
    return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${NODES}`);
  };
  const deadline = Date.now() + TOGETHER_MS_MAX;
  while (!(await Promise.all(admins.map(isWhole))).every(Boolean)) {
    if (Date.now() > deadline) throw new Error("the cluster did not come together");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    nodes,
    admins,
    async stop() {
      for (const admin of admins) admin.disconnect();
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
