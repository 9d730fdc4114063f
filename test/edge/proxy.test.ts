import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, request as send } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isProtected } from "../../edge/proxy/match.ts";
import { findFreePort } from "../../tools/services/ports.ts";
import { SPELLINGS } from "./spellings.ts";
import { joinAs, type Stand, startStand } from "./stand.ts";

const HOST = "tickets.test";
let site: Server;
let stand: Stand;
const asked: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  const port = await findFreePort();
  site = createServer((incoming, outgoing) => {
    let body = "";
    incoming.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    incoming.on("end", () => {
      const { method = "", url = "", headers } = incoming;
      asked.push({ method, url, headers, body });
      if (url.startsWith("/shop/moved"))
        return outgoing.writeHead(302, { location: `http://127.0.0.1:${port}/shop/there` }).end();
      if (headers["if-none-match"] === '"v1"')
        return outgoing.writeHead(304, { etag: '"v1"' }).end();
      outgoing.writeHead(200, {
        "content-type": "text/plain",
        etag: '"v1"',
        "set-cookie": ["basket=1; Path=/", "__Host-sira-proxied=stolen; Path=/", "sira-x=1"],
      });
      return outgoing.end(`site:${url}:${body}`);
    });
  });
  site.listen(port, "127.0.0.1");
  await once(site, "listening");
  const origin = `http://127.0.0.1:${port}`;
  stand = await startStand({
    env: { PROXY_ORIGINS: origin, PROXY_HOSTS: `${HOST}=proxied` },
  });
  await stand.room("proxied", {
    mode: "proxy",
    proxy: { origin, include: ["/shop/*", "/api/*"], exclude: ["/shop/assets/*"] },
  });
});
afterAll(async () => {
  await stand.stop();
  site.closeAllConnections();
  site.close();
});

type Reply = { status: number; headers: IncomingHttpHeaders; body: string };

/** With a Host header and a path as written, which fetch would not send. */
async function ask(
  path: string,
  more: { method?: string; headers?: Record<string, string>; body?: string } = {},
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
  for await (const chunk of incoming) body += String(chunk);
  return { status: incoming.statusCode, headers: incoming.headers, body };
}

test("without an admission a page is led to the queue, a script hears 401, other paths pass", async () => {
  const page = await ask("/shop/seats?x=1", { headers: { accept: "text/html" } });
  expect(page.status).toBe(302);
  expect(page.headers.location).toBe(
    `${stand.gate.origin}/e/proxied?from=${encodeURIComponent("/shop/seats?x=1")}`,
  );
  const script = await ask("/api/basket", { method: "POST", body: "{}" });
  expect([script.status, JSON.parse(script.body).code]).toEqual([401, "admission_required"]);
  expect((await ask("/about")).body).toBe("site:/about:");
  expect((await ask("/shop/assets/logo.png")).status).toBe(200);
});

test("an admitted fan enters on the site's own host and passes with everything but what is ours", async () => {
  const fan = await joinAs(stand, "proxied");
  const { continueTo } = await fan.admit();
  const address = new URL(continueTo);
  expect([address.host, address.pathname]).toEqual([HOST, "/.sira/enter"]);
  const entered = await ask(`${address.pathname}${address.search}&to=%2Fshop%2Fseats`);
  expect([entered.status, entered.headers.location]).toEqual([303, "/shop/seats"]);
  const [cookie = ""] = entered.headers["set-cookie"]?.[0]?.split(";") ?? [];
  expect((await ask(`${address.pathname}${address.search}`)).status).toBe(404);

  asked.length = 0;
  const headers = { cookie: `${cookie}; own=1; sira-proxied=x`, "x-sira-place": "forged" };
  const posted = await ask("/shop/seats?a=1", { method: "POST", headers, body: "hello" });
  expect([posted.status, posted.body]).toEqual([200, "site:/shop/seats?a=1:hello"]);
  expect(posted.headers["set-cookie"]).toEqual(["basket=1; Path=/"]);
  expect(asked[0]?.headers).toMatchObject({
    cookie: "own=1",
    "x-sira-place": fan.joined.place.id,
    "x-forwarded-host": HOST,
  });
  const moved = await ask("/shop/moved", { headers: { cookie } });
  expect([moved.status, moved.headers.location]).toEqual([302, `http://${HOST}/shop/there`]);
  expect((await ask("/shop/a", { headers: { cookie, "if-none-match": '"v1"' } })).status).toBe(304);
  const head = await ask("/shop/a", { method: "HEAD", headers: { cookie } });
  expect([head.status, head.body]).toEqual([200, ""]);
  const forged = cookie.slice(0, -6);
  expect((await ask("/shop/a", { headers: { cookie: forged } })).status).toBe(401);
});

test("an address that a client claims never reaches the site", async () => {
  asked.length = 0;
  const claims = {
    "x-forwarded-for": "192.0.2.1",
    forwarded: "for=192.0.2.1",
    "x-real-ip": "192.0.2.1",
    "true-client-ip": "192.0.2.1",
  };
  await ask("/about", { headers: claims });
  expect(JSON.stringify(asked[0]?.headers)).not.toContain("192.0.2.1");
  // The trusted proxy in front said nothing, and its own address is nobody's.
  expect(asked[0]?.headers["x-forwarded-for"]).toBeUndefined();
  // The proxy in front, which the deployment names, is believed.
  await ask("/about", { headers: { ...claims, "cf-connecting-ip": "203.0.113.9" } });
  expect(asked[1]?.headers["x-forwarded-for"]).toBe("203.0.113.9");
});

test("no spelling of a protected path gets past", () => {
  const rules = { include: ["/shop/*"], exclude: ["/shop/assets/*"] };
  for (const path of SPELLINGS) {
    const asServed = URL.canParse(path, "http://x") ? new URL(path, "http://x").pathname : path;
    expect(isProtected(rules, path), path).toBe(true);
    // What the URL parser leaves of it on the way here, unless that is another host altogether.
    if (new URL(path, "http://x").host === "x")
      expect(isProtected(rules, asServed), path).toBe(true);
  }
  for (const path of ["/", "/about", "/shopping", "/x/shop", "/shop/assets/a.png"])
    expect(isProtected(rules, path), path).toBe(false);
});

test("the gate's own host is no site, and the site's host shows nothing of the gate", async () => {
  const status = await ask("/api/queue/proxied/status");
  expect([status.status, JSON.parse(status.body).code]).toEqual([401, "admission_required"]);
  expect((await stand.status("proxied")).event).toBe("proxied");
});
