// What the link asks a server when it connects: who it is, whether it may hold the line at all, and, in a
// cluster, which node owns the event's slot.

import type { Redis } from "ioredis";
import { bindKeys, SCRIPT_NAMES } from "./keys.ts";
import { LinkError } from "./link-error.ts";
import type { ScriptName, ScriptTexts } from "./types.ts";

export const NODES_MAX = 16;

export interface Node {
  readonly host: string;
  readonly port: number;
}

function infoField(info: string, field: string): string {
  const line = info.split("\n").find((text) => text.startsWith(`${field}:`));
  return line?.slice(field.length + 1).trim() ?? "";
}

/** The cluster's nodes, and the one that owns the key's slot (null: this one does). */
export async function readSlots(
  redis: Redis,
  key: string,
): Promise<{ nodes: Node[]; owner: Node | null }> {
  const slot = await redis.cluster("KEYSLOT", key);
  const me = String(await redis.call("CLUSTER", "MYID"));
  const ranges = await redis.cluster("SLOTS");
  const nodes: Node[] = [];
  let owner: Node | null | undefined;
  for (const range of ranges as unknown[]) {
    if (!Array.isArray(range)) continue;
    const [from, to, ...members] = range as [number, number, ...[string, number, string][]];
    members.forEach(([host, port, id], index) => {
      const node = { host: host || (redis.options.host ?? ""), port };
      nodes.push(node);
      if (index === 0 && from <= slot && slot <= to) owner = id === me ? null : node;
    });
  }
  if (owner === undefined) {
    throw new LinkError("unreachable", `no node of the cluster owns slot ${slot}`);
  }
  return { nodes: nodes.slice(0, NODES_MAX), owner };
}

export async function readServer(redis: Redis): Promise<{ server: string; isCluster: boolean }> {
  const info = await redis.info();
  const policy = infoField(info, "maxmemory_policy");
  if (policy !== "noeviction") {
    throw new LinkError(
      "policy",
      `the line's Redis must have maxmemory-policy noeviction, this one has ${policy || "an unknown one"}: it may throw places away`,
    );
  }
  const role = infoField(info, "role");
  if (role !== "master")
    throw new LinkError("read_only", `connected to a ${role || "server of unknown role"}`);
  if (infoField(info, "loading") === "1")
    throw new LinkError("unreachable", "still loading its data");
  return {
    server: infoField(info, "run_id"),
    isCluster: infoField(info, "redis_mode") === "cluster",
  };
}

/**
 * A script as the server gets it. Its answer comes back with the call's tag in front: an answer that
 * belongs to another call, because a connection or a driver lost one, is known by it.
 */
function taggedText(name: ScriptName, scripts: ScriptTexts): string {
  return [
    bindKeys(name),
    scripts.common,
    "local function script()",
    scripts[name],
    "end",
    "local reply = script()",
    "table.insert(reply, 1, TAG)",
    "return reply",
  ].join("\n");
}

export async function loadScripts(
  redis: Redis,
  scripts: ScriptTexts,
): Promise<Map<ScriptName, string>> {
  const shas = await Promise.all(
    SCRIPT_NAMES.map((name) => redis.script("LOAD", taggedText(name, scripts))),
  );
  return new Map(SCRIPT_NAMES.map((name, i) => [name, String(shas[i])]));
}
