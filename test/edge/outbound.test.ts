import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgeOutbound, OUTBOUND_BYTES_MAX, openOutbound } from "../../edge/http/outbound.ts";

describe("what the gate may call of others", () => {
  test.each([
    ["https://api.drand.sh/public/1", "ok"],
    ["http://api.drand.sh/public/1", "not_https"],
    ["https://api.drand.sh:8443/", "port"],
    ["https://user:secret@api.drand.sh/", "credentials"],
    ["https://127.0.0.1/", "not_public"],
    ["https://2130706433/", "not_public"],
    ["https://0x7f.1/", "not_public"],
    ["https://[::1]/", "not_public"],
    ["https://[::ffff:10.0.0.1]/", "not_public"],
    ["https://169.254.169.254/latest/meta-data", "not_public"],
    ["https://localhost/", "not_public"],
    ["https://redis/", "not_public"],
    ["https://metadata.google.internal./", "not_public"],
    ["https://printer.local/", "not_public"],
    ["file:///etc/passwd", "not_https"],
    ["not a url", "not_a_url"],
    [`https://api.drand.sh/${"x".repeat(3_000)}`, "not_a_url"],
  ])("%s: %s", (text, verdict) => {
    const judged = judgeOutbound(text, { secure: true });
    expect(typeof judged === "string" ? judged : "ok").toBe(verdict);
  });

  test("on this machine in the clear only where the gate itself is", () => {
    const own = "http://127.0.0.1:9999/keys";
    expect(judgeOutbound(own, { secure: true })).toBe("not_https");
    expect(judgeOutbound(own, { secure: false })).toBeInstanceOf(URL);
    expect(judgeOutbound("http://10.0.0.1/", { secure: false })).toBe("not_https");
  });
});

describe("an answer from outside", () => {
  let origin = "";
  const server = createServer((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { location: "/small" }).end();
    else if (request.url === "/endless") {
      const pour = (): void => {
        while (response.write("x".repeat(16_384)));
      };
      response.on("drain", pour).on("error", () => undefined);
      pour();
    } else response.end("small");
  });
  const outbound = openOutbound({}, { secure: false });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test("is read whole when it is small, and neither followed elsewhere nor read beyond its bound", async () => {
    expect(await (await outbound(`${origin}/small`)).text()).toBe("small");
    await expect(outbound(`${origin}/moved`)).rejects.toMatchObject({ fault: "redirect" });
    await expect(outbound(`${origin}/endless`)).rejects.toMatchObject({ fault: "too_large" });
    expect(OUTBOUND_BYTES_MAX).toBe(65_536);
  });
});
