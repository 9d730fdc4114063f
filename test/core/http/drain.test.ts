import { Agent, createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createDrain } from "../../../core/http/drain.ts";

test("a connection that is always in use ends with its next answer, and nothing under way is cut", async () => {
  let finish: (() => void) | undefined;
  const server = createServer((request, response) => {
    if (request.url === "/slow") finish = () => response.end("whole");
    else response.end("quick");
  });
  const drain = createDrain(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string, through: Agent): Promise<{ connection: string; text: string }> =>
    new Promise((resolve, reject) => {
      get({ port, host: "127.0.0.1", path, agent: through }, (incoming: IncomingMessage) => {
        let text = "";
        incoming.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        incoming.on("end", () => resolve({ connection: incoming.headers.connection ?? "", text }));
      }).on("error", reject);
    });
  const other = new Agent({ keepAlive: true });
  expect(await ask("/quick", agent)).toEqual({ connection: "keep-alive", text: "quick" });
  const slow = ask("/slow", other);
  // The second waits for the first on the one connection of its agent.
  await expect.poll(() => finish !== undefined).toBe(true);
  let closed = false;
  const closing = drain.close().then(() => {
    closed = true;
  });
  await expect(ask("/quick", agent)).rejects.toThrow();
  expect(closed).toBe(false);
  finish?.();
  expect(await slow).toEqual({ connection: "close", text: "whole" });
  await closing;
  agent.destroy();
  other.destroy();
});
