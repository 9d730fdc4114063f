// What a body may be: how long, and of which characters.

import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../../core/app.ts";
import { describeSmallEvent } from "../../support/events.ts";
import { type House, openHouse } from "../house.ts";

let house: House;
let server: ReturnType<typeof serve>;
let port: number;
beforeAll(async () => {
  house = await openHouse();
  const app = createApp(house.deps);
  const { promise, resolve } = Promise.withResolvers<AddressInfo>();
  server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, resolve);
  ({ port } = await promise);
});
afterAll(async () => {
  server.close();
  await house.close();
});

/** Sends all of it before it reads anything, as most clients do. */
async function sendAll(
  head: string,
  part: string,
  end: string,
  path = "POST /v1/accounts",
): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.on("error", reject);
  socket.pause();
  socket.write(`${path} HTTP/1.1\r\nhost: core\r\n${head}\r\n\r\n`);
  for (let sent = 0; sent < 100; sent += 1)
    await new Promise<void>((done) => socket.write(part, () => done()));
  socket.write(end);
  socket.on("data", (data) => resolve(data.toString().split("\r\n")[0] ?? ""));
  socket.resume();
  const answer = await promise;
  socket.destroy();
  return answer;
}

describe("a body of five megabytes", () => {
  const part = " ".repeat(50_000);
  const type = "content-type: application/json";

  test.each([
    ["announced", `${type}\r\ncontent-length: 5000000`, part, ""],
    ["in chunks", `${type}\r\ntransfer-encoding: chunked`, `c350\r\n${part}\r\n`, "0\r\n\r\n"],
  ])("%s is answered 413, and its sender is not cut off before", async (_how, head, one, end) => {
    expect(await sendAll(head, one, end)).toBe("HTTP/1.1 413 Payload Too Large");
  });
});

describe("a seat map of five megabytes", () => {
  test("with a session that has ended is answered 401, and its sender is not cut off", async () => {
    const head = "content-type: application/json\r\ncontent-length: 5000000";
    const path = "PUT /v1/organizer/events/large-show";
    expect(await sendAll(head, " ".repeat(50_000), "", path)).toBe("HTTP/1.1 401 Unauthorized");
  });
});

describe("half of a surrogate pair, and NUL", () => {
  const owner = async () => ({ authorization: `Bearer ${await house.organizerToken()}` });

  test.each(["\ud83d", "\udc00x", "a\0b"])("%j is refused in any field, by name", async (text) => {
    const name = `Spring ${text}`;
    const cases: [string, string, unknown, string][] = [
      ["PUT", "/v1/organizer/events/text-show", { ...describeSmallEvent(), name }, "name"],
      [
        "PUT",
        "/v1/organizer/events/text-show",
        {
          ...describeSmallEvent(),
          addons: [{ id: "x", name: "X", price: 1, stock: 1, variants: [text] }],
        },
        "addons.0.variants.0",
      ],
      ["POST", "/v1/organizer/keys", { name, role: "viewer", events: ["*"] }, "name"],
      ["POST", "/v1/organizer/incidents", { charges: ["ch_1"], reason: name }, "reason"],
    ];
    for (const [method, path, body, field] of cases) {
      const headers = { ...(await owner()), "idempotency-key": "text-1" };
      const reply = await house.request(method, path, { headers, body });
      expect([path, reply.status, reply.body["code"]]).toEqual([path, 422, "invalid_request"]);
      expect(reply.body["errors"]).toMatchObject([{ field }]);
    }
  });
});
