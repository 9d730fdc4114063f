import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { guardedFetch, judgeOutside } from "../../../edge/guard/outbound.ts";
import { startGate } from "../../../tools/gate/start-gate.ts";
import { createProcesses } from "../../../tools/services/processes.ts";
import { STATE_DIR } from "../../../tools/services/root.ts";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(handler: RequestListener): Promise<{ url: string; port: number }> {
  const server = createServer(handler).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, port: address.port };
}

describe("an address outside", () => {
  test.each([
    "http://relay.example/",
    "https://relay.example:8443/",
    "https://user:word@relay.example/",
    "https://10.0.0.1/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://[::ffff:10.0.0.1]/",
    "https://localhost/",
    "https://127.0.0.1/",
    "ftp://relay.example/",
    "relay.example",
  ])("%s is refused before any name is asked for", (text) => {
    expect(judgeOutside(text, false)).toBeUndefined();
  });

  test("may be this machine in development alone, and no other machine of the house", () => {
    expect(String(judgeOutside("https://relay.example/public/1", false))).toBe(
      "https://relay.example/public/1",
    );
    expect(judgeOutside("http://127.0.0.1:9000/", true)).toBeDefined();
    expect(judgeOutside("http://10.0.0.1:9000/", true)).toBeUndefined();
  });
});

describe("a call outside", () => {
  const local = guardedFetch({ fetch, local: true, deadlineMs: 300 });

  test("brings status and body back, follows nothing, and reads no more than 64 kB", async () => {
    let followed = 0;
    const elsewhere = await listen((_request, response) => {
      followed += 1;
      response.end("{}");
    });
    const { url } = await listen((request, response) => {
      if (request.url === "/good") response.writeHead(202).end('{"round":1}');
      else if (request.url === "/moved") response.writeHead(302, { location: elsewhere.url }).end();
      else response.end(Buffer.alloc(65_537));
    });
    const good = await local(`${url}/good`);
    expect([good.status, await good.json()]).toEqual([202, { round: 1 }]);
    await expect(local(`${url}/moved`)).rejects.toThrow("redirected");
    expect(followed).toBe(0);
    await expect(local(`${url}/long`)).rejects.toThrow("too large");
  });

  test("ends at its deadline, whether the other side is silent or drips", async () => {
    const silent = await listen(() => undefined);
    const dripping = await listen((_request, response) => {
      const timer = setInterval(() => response.write("."), 20);
      response.once("close", () => clearInterval(timer));
    });
    for (const { url } of [silent, dripping]) await expect(local(url)).rejects.toThrow();
  });

  test("reaches a machine of this deployment behind our doors, and nobody else there", async () => {
    const core = await listen((_request, response) => response.end("{}"));
    const other = await listen((_request, response) => response.end("{}"));
    const guarded = guardedFetch({ fetch, local: false, own: [core.url] });
    expect((await guarded(`${core.url}/.well-known/jwks.json`)).status).toBe(200);
    await expect(guarded(other.url)).rejects.toThrow("open internet");
  });
});

test("on bare workerd the address that is connected to must be public, whatever the name says", async () => {
  let asked = 0;
  const { port } = await listen((_request, response) => {
    asked += 1;
    response.end("inside");
  });
  const run = `test-${process.pid}-${randomBytes(4).toString("hex")}`;
  const processes = createProcesses(join(STATE_DIR, run));
  try {
    const gate = await startGate({
      processes,
      entry: "test/support/outside-worker.ts",
      durableObjects: { NOBODY: "Nobody" },
      env: { CORE_ORIGIN: "https://core.example", EDGE_ORIGIN: "https://gate.example" },
    });
    // A name that leads to this machine, as one may that was public when it was looked at.
    const url = encodeURIComponent(`http://localhost:${port}/`);
    const reply = await fetch(`http://127.0.0.1:${gate.port}/api/ask?url=${url}`);
    expect(await reply.json()).toEqual({ outside: "not reached", own: "200" });
    expect(asked).toBe(1);
  } finally {
    await processes.stopAll();
    rmSync(processes.dir, { recursive: true, force: true });
  }
});
