import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLine } from "../../../edge/line/line.ts";
import { readScriptTexts } from "../../../edge/line/scripts-node.ts";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { newFan, openRig } from "./rig.ts";

const SLOTS = 16_384;
let nodes: RunningRedis[] = [];
let admins: Redis[] = [];

beforeAll(async () => {
  nodes = await Promise.all(
    [0, 1, 2].map(() =>
      startRedis({ args: ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"] }),
    ),
  );
  admins = nodes.map((node) => new Redis(node.url));
  const share = Math.ceil(SLOTS / nodes.length);
  for (const [i, admin] of admins.entries()) {
    const last = Math.min(SLOTS, (i + 1) * share) - 1;
    await admin.call("CLUSTER", "ADDSLOTSRANGE", String(i * share), String(last));
    for (const node of nodes) await admin.call("CLUSTER", "MEET", "127.0.0.1", String(node.port));
  }
  const isWhole = async (admin: Redis) => {
    const info = String(await admin.call("CLUSTER", "INFO"));
    return info.includes("cluster_state:ok") && info.includes("cluster_known_nodes:3");
  };
  const deadline = Date.now() + 30_000;
  while (!(await Promise.all(admins.map(isWhole))).every(Boolean)) {
    if (Date.now() > deadline) throw new Error("the cluster did not come together");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});
afterAll(async () => {
  for (const admin of admins) admin.disconnect();
  await Promise.all(nodes.map((node) => node.stop()));
});

describe("the line in a Redis Cluster", () => {
  it("finds the node that owns its event, from any node, and works there whole", async () => {
    const urls = nodes.map((node) => node.url);
    const held = new Set<string>();
    for (let i = 0; i < 6; i += 1) {
      const url = urls[i % urls.length] ?? "";
      const rig = await openRig({ url, settings: { ratePerMinute: 600 } });
      const pong = await rig.room.ping();
      if (pong.state === "ok") held.add(pong.server);
      const fans = [newFan("a"), newFan("b"), newFan("c")];
      for (const fan of fans) await rig.join(fan);
      await rig.tick({ advance: 3 });
      for (const fan of fans) await rig.turn(fan);
      await rig.pass(2_000);
      const [fan] = fans;
      if (!fan) throw new Error("no fan");
      expect(await rig.turn(fan)).toMatchObject({ state: "admitted", number: 1 });
      expect((await rig.release(fan)).state).toBe("released");
      expect((await rig.tick()).counts).toMatchObject({ issued: 3, finished: 1, unreturned: 0 });
      expect(await rig.room.unlinkEpoch(1)).toEqual({ state: "ok" });
      rig.close();
    }
    expect(held.size).toBeGreaterThan(1);
  });

  it("is away, not redirected, when the slot moves, and then asks the new owner's fence", async () => {
    const rig = await openRig({ url: nodes.map((node) => node.url).join(",") });
    await rig.join(newFan("a"));
    const before = await rig.room.ping();
    const slot = String(await admins[0]?.call("CLUSTER", "KEYSLOT", `room:{${rig.event}}:1:meta`));
    await rig.room.unlinkEpoch(1);
    const ids = await Promise.all(
      admins.map(async (admin) => String(await admin.call("CLUSTER", "MYID"))),
    );
    const runIds = await Promise.all(
      admins.map(async (admin) => /run_id:(\w+)/.exec(await admin.info("server"))?.[1] ?? ""),
    );
    const owner = runIds.findIndex((id) => before.state === "ok" && id === before.server);
    const target = (owner + 1) % nodes.length;
    for (const admin of [admins[target], admins[owner], admins[(owner + 2) % 3]]) {
      await admin?.call("CLUSTER", "SETSLOT", slot, "NODE", ids[target] ?? "");
    }
    expect(await rig.door.join(rig.fence, { place: "b", receipt: { kind: "none" } })).toMatchObject(
      {
        state: "away",
        reason: "unreachable",
      },
    );
    await expect
      .poll(() => rig.door.ping(), { timeout: 10_000 })
      .toMatchObject({ server: runIds[target] });
    await expect
      .poll(() => rig.door.join(rig.fence, { place: "b", receipt: { kind: "none" } }), {
        timeout: 10_000,
      })
      .toMatchObject({ state: "away", reason: "server" });
    await expect
      .poll(() => rig.tryTick(), { timeout: 10_000 })
      .toMatchObject({ state: "away", reason: "server" });
    await rig.restore();
    await rig.tick();
    expect((await rig.join(newFan("b"))).state).toBe("numbered");
    rig.close();
  });

  it("goes on through the other nodes when the first address is dead", async () => {
    const urls = ["redis://127.0.0.1:1", ...nodes.map((node) => node.url)].join(",");
    const line = openLine({ url: urls, event: "dead-first", scripts: readScriptTexts() });
    expect((await line.ping()).state).toBe("ok");
    line.close();
  });
});
