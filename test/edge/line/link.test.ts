import { once } from "node:events";
import {
  type AddressInfo,
  createServer,
  connect as dial,
  type Server,
  type Socket,
} from "node:net";
import { Redis } from "ioredis";
import { afterEach, describe, expect, it } from "vitest";
import { openLine } from "../../../edge/line/line.ts";
import {
  COMMAND_TIMEOUT_MS,
  CONNECT_TIMEOUT_MS,
  CONNECT_WAIT_MS,
} from "../../../edge/line/link.ts";
import { readScriptTexts } from "../../../edge/line/scripts-node.ts";
import type { Line } from "../../../edge/line/types.ts";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { newFan, openRig } from "./rig.ts";

const scripts = readScriptTexts();
const fence = { epoch: 1, restore: 1 };
const anybody = { place: "p", receipt: { kind: "none" } } as const;

const toStop: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of toStop.splice(0).reverse()) await stop();
});

async function redisWith(...args: string[]): Promise<RunningRedis> {
  const server = await startRedis({ args });
  toStop.push(() => server.stop());
  return server;
}

function lineTo(url: string, commandTimeoutMs = 300): Line {
  const line = openLine({ url, event: "links", scripts, commandTimeoutMs });
  toStop.push(() => line.close());
  return line;
}

describe("a connection to the line's Redis", () => {
  it("is refused when the server may evict, saying what is wrong", async () => {
    const server = await redisWith("--maxmemory-policy", "allkeys-lru");
    const result = await lineTo(server.url).ping();
    expect(result).toMatchObject({ state: "away", reason: "policy" });
    expect("detail" in result && result.detail).toContain("noeviction");
    expect("detail" in result && result.detail).toContain("allkeys-lru");
  });

  it("answers away at once when nobody listens, and works again when somebody does", async () => {
    const server = await startRedis();
    const { port, url } = server;
    const line = lineTo(url);
    expect((await line.ping()).state).toBe("ok");
    await server.stop();
    expect(await line.join(fence, anybody)).toMatchObject({ state: "away", reason: "unreachable" });
    expect(await line.join(fence, anybody)).toMatchObject({ state: "away", reason: "unreachable" });
    const again = await startRedis({ port });
    toStop.push(() => again.stop());
    await expect.poll(() => line.ping(), { timeout: 10_000 }).toMatchObject({ state: "ok" });
    // Another process, another run_id: the Room has not accepted it.
    expect(await line.join(fence, anybody)).toMatchObject({ state: "away", reason: "server" });
  });

  it("gives up on a server that does not answer, says that the command may be done, and recovers", async () => {
    const server = await redisWith();
    const rig = await openRig({ url: server.url });
    toStop.push(() => rig.close());
    const line = openLine({
      url: server.url,
      event: rig.event,
      scripts,
      commandTimeoutMs: 200,
      now: () => rig.now,
    });
    toStop.push(() => line.close());
    expect((await line.ping()).state).toBe("ok");
    process.kill(server.pid, "SIGSTOP");
    const hung = await Promise.all([
      line.join(fence, anybody),
      line.join(fence, { ...anybody, place: "q" }),
    ]);
    for (const result of hung) expect(result).toMatchObject({ state: "away", maybeDone: true });
    process.kill(server.pid, "SIGCONT");
    await expect
      .poll(() => line.join(fence, anybody), { timeout: 10_000 })
      .toMatchObject({ state: "numbered" });
  });

  it("takes no answer for its own that belongs to another call, and works again", async () => {
    const server = await redisWith();
    const rig = await openRig({ url: server.url });
    toStop.push(() => rig.close());
    // A fault of a driver or of a box between: an earlier answer comes again, before the right one.
    let earlier: Buffer | undefined;
    let isRepeating = false;
    const box = createServer((client) => {
      const upstream = dial(server.port, "127.0.0.1");
      client.pipe(upstream);
      upstream.on("data", (bytes) => {
        if (isRepeating && earlier) client.write(earlier);
        isRepeating = false;
        earlier = bytes;
        client.write(bytes);
      });
      for (const socket of [client, upstream]) socket.on("error", () => undefined);
      client.on("close", () => upstream.destroy());
      toStop.push(() => client.destroy());
    }).listen(0, "127.0.0.1");
    await once(box, "listening");
    toStop.push(() => box.close());
    const { port } = box.address() as AddressInfo;
    const url = `redis://127.0.0.1:${port}`;
    const line = openLine({ url, event: rig.event, scripts, now: () => rig.now });
    toStop.push(() => line.close());
    const join = (place: string) => line.join(fence, { ...anybody, place });
    expect(await join("first")).toMatchObject({ state: "numbered", number: 1 });
    isRepeating = true;
    expect(await join("second")).toMatchObject({
      ...{ state: "away", reason: "confused", maybeDone: true },
    });
    await expect.poll(() => join("third")).toMatchObject({ state: "numbered", number: 3 });
    expect(await join("second")).toMatchObject({ state: "numbered", number: 2 });
  });

  it("does not hang on a server that accepts and says nothing", async () => {
    const sockets: Socket[] = [];
    const mute: Server = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
    await once(mute, "listening");
    toStop.push(() => {
      for (const socket of sockets) socket.destroy();
      mute.close();
    });
    const { port } = mute.address() as AddressInfo;
    expect(await lineTo(`redis://127.0.0.1:${port}`).ping()).toMatchObject({ state: "away" });
  });

  it("tells full memory, a read-only replica and a server that still loads from a bug", async () => {
    const full = await redisWith("--maxmemory", "1mb");
    const admin = new Redis(full.url);
    toStop.push(() => admin.disconnect());
    const rig = await openRig({ url: full.url }).catch((error: unknown) => String(error));
    expect(String(rig)).toContain("out_of_memory");
    const replica = await redisWith("--replicaof", `127.0.0.1 ${full.port}`);
    expect(await lineTo(replica.url).ping()).toMatchObject({ state: "away", reason: "read_only" });
  });

  it("loads its scripts again after SCRIPT FLUSH", async () => {
    const server = await redisWith();
    const rig = await openRig({ url: server.url });
    toStop.push(() => rig.close());
    const admin = new Redis(server.url);
    toStop.push(() => admin.disconnect());
    await admin.script("FLUSH");
    expect(await rig.join(newFan("a"))).toMatchObject({ state: "numbered" });
  });

  it("takes user and password from the address and says when they are wrong", async () => {
    const server = await redisWith();
    const admin = new Redis(server.url);
    toStop.push(() => admin.disconnect());
    await admin.call("ACL", "SETUSER", "line", "on", ">s3cret", "~*", "+@all");
    const at = (user: string) => `redis://${user}@127.0.0.1:${server.port}`;
    expect((await lineTo(at("line:s3cret")).ping()).state).toBe("ok");
    expect(await lineTo(at("line:wrong")).ping()).toMatchObject({
      state: "away",
      reason: "refused",
    });
  });

  it("bounds every wait", () => {
    expect(COMMAND_TIMEOUT_MS).toBeLessThanOrEqual(2_000);
    expect(CONNECT_TIMEOUT_MS).toBeLessThanOrEqual(CONNECT_WAIT_MS);
    expect(CONNECT_WAIT_MS).toBeLessThanOrEqual(3_000);
  });
});
