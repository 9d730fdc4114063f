import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server, request as send } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../../tools/services/ports.ts";
import { SPELLINGS } from "./spellings.ts";
import { joinAs, type Stand, startStand } from "./stand.ts";

const HOST = "live.test";
let site: Server;
let stand: Stand;
let assetsDir = "";
let cookie = "";
/** Paths that reached the site. */
const reached: string[] = [];

beforeAll(async () => {
  const port = await findFreePort();
  site = createServer(async (incoming, outgoing) => {
    const { url = "", headers } = incoming;
    reached.push(url);
    if (url.startsWith("/shop/stream")) {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      for (let at = 0; at < 3; at += 1) {
        outgoing.write(`data: ${at}\n\n`);
        await sleep(300);
      }
      return void outgoing.end();
    }
    if (url.startsWith("/shop/echo")) {
      outgoing.writeHead(200, { "content-type": headers["content-type"] ?? "text/plain" });
      return void incoming.pipe(outgoing);
    }
    if (url.startsWith("/shop/away"))
      return void outgoing.writeHead(301, { location: "https://elsewhere.example/x" }).end();
    outgoing.writeHead(200, { "set-cookie": ["a=1; Path=/", "b=2; Path=/"] });
    outgoing.end(`site:${url}:${headers.cookie ?? ""}`);
  });
  site.on("upgrade", (incoming, socket) => {
    reached.push(`upgrade:${incoming.url}`);
    const { createHash } = process.getBuiltinModule("node:crypto");
    const accept = createHash("sha1")
      .update(`${incoming.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    // One text frame: "hello".
    socket.write(Buffer.from([0x81, 5, ...Buffer.from("hello")]));
  });
  site.listen(port, "127.0.0.1");
  await once(site, "listening");
  assetsDir = mkdtempSync(join(tmpdir(), "sira-assets-"));
  mkdirSync(join(assetsDir, "shop"));
  writeFileSync(join(assetsDir, "index.html"), "our own page");
  writeFileSync(join(assetsDir, "shop", "index.html"), "our own shop");
  const origin = `http://127.0.0.1:${port}`;
  stand = await startStand({
    assetsDir,
    env: { PROXY_ORIGINS: origin, PROXY_HOSTS: `${HOST}=live` },
  });
  await stand.room("live", {
    mode: "proxy",
    proxy: { origin, include: ["/shop/*"], exclude: ["/shop/assets/*"] },
  });
  const fan = await joinAs(stand, "live");
  const address = new URL((await fan.admit()).continueTo);
  const entered = await ask(address.pathname + address.search);
  cookie = entered.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
});
afterAll(async () => {
  await stand.stop();
  site.closeAllConnections();
  site.close();
  rmSync(assetsDir, { recursive: true });
});

type Reply = { status: number; headers: IncomingHttpHeaders; body: string; chunks: number[] };

async function ask(
  path: string,
  more: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Reply> {
  const { port } = new URL(stand.gate.origin);
  const outgoing = send({
    host: "127.0.0.1",
    port,
    path,
    method: more.method ?? "GET",
    headers: { host: HOST, ...more.headers },
  });
  outgoing.end(more.body);
  const [incoming] = await once(outgoing, "response");
  let body = "";
  const chunks: number[] = [];
  for await (const chunk of incoming) {
    body += String(chunk);
    chunks.push(Date.now());
  }
  return { status: incoming.statusCode, headers: incoming.headers, body, chunks };
}

/** The request line exactly as written, which no client would send. @returns the answer's status. */
async function askRaw(path: string): Promise<number> {
  const socket = connect(Number(new URL(stand.gate.origin).port), "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${HOST}\r\nconnection: close\r\n\r\n`);
  let text = "";
  socket.on("error", () => undefined);
  for await (const chunk of socket) text += String(chunk);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
}

test("on a proxied host the gate decides before any page of ours", async () => {
  expect((await ask("/")).body).toBe("site:/:");
  expect((await ask("/shop/")).status).toBe(401);
  const own = await fetch(`${stand.gate.origin}/shop/`);
  expect(await own.text()).toBe("our own shop");
});

test("no spelling of a protected path reaches the site over the wire", async () => {
  for (const path of SPELLINGS) {
    reached.length = 0;
    const line = path.replace(/\t/g, "%09").replace(/[^\x20-\x7e]/g, encodeURIComponent);
    const status = await askRaw(line);
    expect([0, 400, 401, 404], path).toContain(status);
    expect(reached, path).toEqual([]);
  }
});

test("bodies go through whole, as bytes, and answers as they come", async () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
  const type = "application/octet-stream";
  const sent = await fetch(stand.gate.origin, { method: "HEAD" });
  expect(sent.status).toBe(200);
  const echoed = await ask("/shop/echo", {
    method: "POST",
    headers: { cookie, "content-type": type, "content-length": String(bytes.length) },
    body: bytes,
  });
  expect([echoed.status, echoed.headers["content-type"]]).toEqual([200, type]);
  expect(echoed.body.length).toBe(bytes.toString().length);
  const put = await ask("/shop/echo", { method: "PUT", headers: { cookie }, body: "a=1&b=2" });
  expect(put.body).toBe("a=1&b=2");
  const streamed = await ask("/shop/stream", { headers: { cookie } });
  expect(streamed.body).toBe("data: 0\n\ndata: 1\n\ndata: 2\n\n");
  expect(streamed.chunks.length).toBeGreaterThan(1);
});

test("cookies go both ways without ours, and another site's redirect stays its own", async () => {
  const answer = await ask("/shop/x", { headers: { cookie: `one=1; ${cookie}; two=2` } });
  expect(answer.body).toBe("site:/shop/x:one=1; two=2");
  expect(answer.headers["set-cookie"]).toEqual(["a=1; Path=/", "b=2; Path=/"]);
  const away = await ask("/shop/away", { headers: { cookie } });
  expect([away.status, away.headers.location]).toEqual([301, "https://elsewhere.example/x"]);
});

test("a WebSocket passes with an admission, and is refused by name without", async () => {
  const upgrade = {
    connection: "upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const refused = await ask("/shop/socket", { headers: upgrade });
  expect([refused.status, JSON.parse(refused.body).code]).toEqual([401, "admission_required"]);
  const { port } = new URL(stand.gate.origin);
  const outgoing = send({
    host: "127.0.0.1",
    port,
    path: "/shop/socket",
    headers: { host: HOST, cookie, ...upgrade },
  });
  outgoing.end();
  const [incoming, socket, head] = await once(outgoing, "upgrade");
  expect(incoming.statusCode).toBe(101);
  const frame = head.length > 0 ? head : (await once(socket, "data"))[0];
  expect(String(frame.subarray(2))).toBe("hello");
  socket.destroy();
});
