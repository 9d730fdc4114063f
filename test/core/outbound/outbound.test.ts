import type { lookup as dnsLookup } from "node:dns";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { isPublicAddress } from "../../../core/outbound/is-public.ts";
import { judgeUrl } from "../../../core/outbound/judge-url.ts";
import { createOutbound, OUTBOUND_BYTES_MAX } from "../../../core/outbound/outbound.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(handle: RequestListener): Promise<{ url: string; port: number }> {
  const server = createServer(handle);
  servers.push(server);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, port };
}

const RULES = { port: 443, local: false };
const LOCAL = { port: 443, local: true };

/** A name server of the test's own. */
const resolving = (...addresses: string[]): typeof dnsLookup => {
  const lookup: LookupFunction = (_name, _options, callback) => {
    const all = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    (callback as (error: null, all: unknown) => void)(null, all);
  };
  return lookup as typeof dnsLookup;
};

describe("an address", () => {
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.31.255.255",
    "192.168.0.1",
    "198.18.0.1",
    "203.0.113.9",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "0:0:0:0:0:ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "2001::1",
    "2002:7f00:1::1",
    "3fff::1",
    "",
    "nonsense",
  ])("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(["1.1.1.1", "172.32.0.1", "9.9.9.9", "2606:4700::1111", "::ffff:1.1.1.1"])(
    "%s is public",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe("a URL is refused before any name is asked for", () => {
  it.each([
    ["not a url", "not_a_url"],
    ["http://example.com/", "not_https"],
    ["ftp://example.com/", "not_https"],
    ["file:///etc/passwd", "not_https"],
    ["https://user:secret@example.com/", "credentials"],
    ["https://example.com:8443/", "port"],
    ["https://127.0.0.1/", "not_public"],
    ["https://[::1]/", "not_public"],
    ["https://2130706433/", "not_public"],
    ["https://0x7f.1/", "not_public"],
    ["https://[::ffff:169.254.169.254]/", "not_public"],
    [`https://example.com/${"a".repeat(2_000)}`, "not_a_url"],
  ])("%s", (url, fault) => expect(judgeUrl(url, RULES)).toBe(fault));

  it("a fragment is dropped, everything else is kept", () => {
    expect(String(judgeUrl("https://example.com/a?b=c#d", RULES))).toBe(
      "https://example.com/a?b=c",
    );
  });

  it("this machine in plain http is for development alone", () => {
    expect(judgeUrl("http://127.0.0.1:9000/", RULES)).toBe("not_https");
    expect(String(judgeUrl("http://127.0.0.1:9000/", LOCAL))).toBe("http://127.0.0.1:9000/");
    expect(judgeUrl("http://10.0.0.1:9000/", LOCAL)).toBe("not_https");
    expect(judgeUrl("https://10.0.0.1/", LOCAL)).toBe("not_public");
  });
});

describe("a call", () => {
  it("is not made when any address of the name is not public", async () => {
    for (const addresses of [["127.0.0.1"], ["1.1.1.1", "10.0.0.1"], ["::1"], []]) {
      const outbound = createOutbound({ ...RULES, lookup: resolving(...addresses) });
      const answer = await outbound.send({ url: "https://rebound.example/", method: "GET" });
      expect(answer).toEqual({ ok: false, error: "not_public" });
    }
  });

  it("is ended when the socket is connected elsewhere than the name said", async () => {
    let asked = 0;
    const { port } = await listen((_request, response) => {
      asked += 1;
      response.end("inside");
    });
    // The first answer is good for the judge; what the socket gets is this machine.
    const lookup = ((_name: string, options: { all?: boolean }, callback: CallableFunction) =>
      options.all
        ? callback(null, [{ address: "127.0.0.1", family: 4 }])
        : callback(null, "1.1.1.1", 4)) as unknown;
    const outbound = createOutbound({ port, local: false, lookup: lookup as typeof dnsLookup });
    const answer = await outbound.send({ url: `https://rebound.example:${port}/`, method: "GET" });
    expect(answer).toEqual({ ok: false, error: "not_public" });
    expect(asked).toBe(0);
  });

  it("takes the body along and brings status and body back", async () => {
    const { url } = await listen((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        response.statusCode = 202;
        response.end(`${request.method} ${Buffer.concat(chunks)} ${request.headers["x-test"]}`);
      });
    });
    const outbound = createOutbound(LOCAL);
    const call = { url, method: "POST", body: "çay", headers: { "x-test": "1" } } as const;
    const answer = await outbound.send(call);
    expect(answer.ok && [answer.value.status, String(answer.value.body)]).toEqual([
      202,
      "POST çay 1",
    ]);
  });

  it("does not follow redirects", async () => {
    let asked = 0;
    const { url } = await listen((_request, response) => {
      asked += 1;
      response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
    });
    const answer = await createOutbound(LOCAL).send({ url, method: "GET" });
    expect(answer.ok && answer.value.status).toBe(302);
    expect(asked).toBe(1);
  });

  it("ends at its deadline, whether the other side is silent or drips", async () => {
    const silent = await listen(() => undefined);
    const dripping = await listen((_request, response) => {
      const timer = setInterval(() => response.write("."), 20);
      response.once("close", () => clearInterval(timer));
    });
    const outbound = createOutbound({ ...LOCAL, deadlineMs: 200 });
    for (const { url } of [silent, dripping])
      expect(await outbound.send({ url, method: "GET" })).toEqual({ ok: false, error: "timeout" });
  });

  it("is cut off beyond 64 kB", async () => {
    const { url } = await listen((_request, response) => {
      response.end(Buffer.alloc(OUTBOUND_BYTES_MAX + 1));
    });
    expect(await createOutbound(LOCAL).send({ url, method: "GET" })).toEqual({
      ok: false,
      error: "too_large",
    });
  });

  it("to nobody is unreachable", async () => {
    const url = "http://127.0.0.1:1/";
    expect(await createOutbound(LOCAL).send({ url, method: "GET" })).toEqual({
      ok: false,
      error: "unreachable",
    });
  });
});

describe("a machine of this deployment", () => {
  it("may be behind our doors and speak plain http, and nobody else becomes one by asking", async () => {
    const { url } = await listen((_request, response) => response.end("{}"));
    const { origin } = new URL(url);
    const outbound = createOutbound({ ...RULES, own: [origin] });
    expect(await outbound.sendOwn({ url, method: "GET" })).toMatchObject({
      ok: true,
      value: { status: 200 },
    });
    expect(await outbound.send({ url, method: "GET" })).toMatchObject({ ok: false });
    await expect(
      outbound.sendOwn({ url: "http://127.0.0.1:9/keys", method: "GET" }),
    ).rejects.toThrow("own address");
  });

  it("is not followed elsewhere, and not read beyond the bound", async () => {
    const elsewhere = await listen((_request, response) => response.end("{}"));
    const { url } = await listen((request, response) => {
      if (request.url === "/hook") response.writeHead(302, { location: elsewhere.url }).end();
      else response.end("x".repeat(OUTBOUND_BYTES_MAX + 1));
    });
    const { origin } = new URL(url);
    const outbound = createOutbound({ ...RULES, own: [origin] });
    const answer = await outbound.sendOwn({ url, method: "GET" });
    expect(answer).toMatchObject({ ok: true, value: { status: 302 } });
    const long = await outbound.sendOwn({ url: `${origin}/long`, method: "GET" });
    expect(long).toMatchObject({ ok: false, error: "too_large" });
  });
});
