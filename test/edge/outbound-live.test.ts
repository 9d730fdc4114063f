// That the connected address is public is kept below the gate, by workerd's own network.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startGate } from "../../tools/gate/start-gate.ts";
import { createProcesses } from "../../tools/services/processes.ts";
import { STATE_DIR } from "../../tools/services/root.ts";

test("on bare workerd the address that is connected to must be public, whatever the name says", async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end("inside");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
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
    const url = encodeURIComponent(`http://localhost:${address.port}/`);
    const reply = await fetch(`http://127.0.0.1:${gate.port}/api/ask?url=${url}`);
    expect(await reply.json()).toEqual({ outside: "not reached", own: "200" });
    expect(asked).toBe(1);
  } finally {
    server.closeAllConnections();
    server.close();
    await processes.stopAll();
    rmSync(processes.dir, { recursive: true, force: true });
  }
});
