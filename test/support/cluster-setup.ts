// A real Redis Cluster of three nodes, for the suites of the line that run a second time on it.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import type { TestProject } from "vitest/node";
import { findFreePort, isPortFree } from "../../tools/services/ports.ts";
import { createProcesses, type Processes } from "../../tools/services/processes.ts";
import { startRedis } from "../../tools/services/redis.ts";
import { STATE_DIR } from "../../tools/services/root.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The first node, and the last of its slots; it owns them from 0 on. */
    readonly lineNode: { readonly url: string; readonly port: number; readonly lastSlot: number };
  }
}

const NODES = 3;
const SLOTS = 16_384;
/** The nodes talk to each other on the port so much above. */
const BUS_OFFSET = 10_000;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const processes = createProcesses(join(STATE_DIR, `test-${process.pid}-cluster`));
  const stop = async (): Promise<void> => {
    await processes.stopAll();
    rmSync(processes.dir, { recursive: true, force: true });
  };
  try {
    const ports: number[] = [];
    for (let at = 0; at < NODES; at += 1) ports.push(await startNode(processes, at));
    await joinNodes(ports);
    const [port = 0] = ports;
    const lastSlot = Math.floor(SLOTS / NODES) - 1;
    project.provide("lineNode", { url: `redis://127.0.0.1:${port}`, port, lastSlot });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function startNode(processes: Processes, at: number): Promise<number> {
  let port = await findFreePort();
  while (port > 55_000 || !(await isPortFree(port + BUS_OFFSET))) port = await findFreePort();
  const name = `node-${at}`;
  mkdirSync(join(processes.dir, name), { recursive: true });
  const args = ["--cluster-enabled", "yes", "--maxmemory-policy", "noeviction"];
  await startRedis(processes, { name, port, args });
  return port;
}

/** As `redis-cli --cluster create` does it, without that program. */
async function joinNodes(ports: readonly number[]): Promise<void> {
  const clients = ports.map((port) => new Redis(port, "127.0.0.1"));
  try {
    const share = Math.floor(SLOTS / ports.length);
    for (const [at, client] of clients.entries()) {
      const last = at === clients.length - 1 ? SLOTS - 1 : (at + 1) * share - 1;
      await client.call("CLUSTER", "ADDSLOTSRANGE", String(at * share), String(last));
      await client.call("CLUSTER", "SET-CONFIG-EPOCH", String(at + 1));
      if (at > 0) await clients[0]?.call("CLUSTER", "MEET", "127.0.0.1", String(ports[at]));
    }
    for (const client of clients)
      while (!String(await client.call("CLUSTER", "INFO")).includes("cluster_state:ok"))
        await sleep(50);
  } finally {
    for (const client of clients) client.disconnect();
  }
}
