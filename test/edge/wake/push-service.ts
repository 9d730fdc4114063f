// A browser's push service and the browser behind it: checks VAPID (RFC 8292) and decrypts what comes
// (RFC 8291) with code of its own, independent of the gate's.
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

export type Delivered = { path: string; word: unknown; ttl: number; urgency: string; sub: string };

export async function startPushService() {
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const auth = randomBytes(16);
  const delivered: Delivered[] = [];
  const dead = new Set<string>();
  const asked: string[] = [];
  const faults: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const path = incoming.url ?? "";
      asked.push(path);
      if (path === "/redirect") {
        outgoing.writeHead(307, { location: "/elsewhere" }).end();
        return;
      }
      if (dead.has(path)) {
        outgoing.writeHead(410).end();
        return;
      }
      try {
        const { headers } = incoming;
        const sub = checkVapid(headers.authorization ?? "", origin);
        delivered.push({
          path,
          word: JSON.parse(open(Buffer.concat(chunks)).toString()),
          ttl: Number(headers["ttl"]),
          urgency: String(headers["urgency"]),
          sub,
        });
        outgoing.writeHead(201).end();
      } catch (error) {
        faults.push(String(error));
        outgoing.writeHead(400).end();
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const origin = `http://127.0.0.1:${address.port}`;

  function open(body: Buffer): Buffer {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body.readUInt8(20));
    const sealed = body.subarray(21 + sender.length);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), sender]);
    const secret = Buffer.from(hkdfSync("sha256", browser.computeSecret(sender), auth, info, 32));
    const derive = (label: string, size: number) =>
      Buffer.from(
        hkdfSync("sha256", secret, salt, Buffer.from(`Content-Encoding: ${label}\0`), size),
      );
    const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
    decipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    const end = plain.lastIndexOf(2);
    return plain.subarray(0, end);
  }

  return {
    origin,
    delivered,
    dead,
    asked,
    faults,
    subscription: (path: string) => ({
      endpoint: origin + path,
      keys: {
        p256dh: browser.getPublicKey().toString("base64url"),
        auth: auth.toString("base64url"),
      },
    }),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** @returns its contact. @throws when the signature, audience or time is wrong. */
function checkVapid(header: string, audience: string): string {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const publicKey = createPublicKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  const isGood = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
  const seconds = Date.now() / 1_000;
  if (!isGood || aud !== audience || exp <= seconds || exp > seconds + 86_400)
    throw new Error("VAPID refused");
  return String(sub);
}
