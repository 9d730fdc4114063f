import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Evidence } from "../../shared/draw/evidence.ts";
import { verifyEvidence } from "../../shared/draw/verify.ts";
import { TOKEN_TYPES } from "../../shared/token/claims.ts";
import { eventOf } from "../../tools/draw/source.ts";
import { placeAt, sampleEvidence, sampleRecord } from "../shared/draw/sample.ts";

const SCRIPT = fileURLToPath(new URL("../../tools/verify-draw.ts", import.meta.url));

/** The command itself, in a process of its own, as an outsider runs it. */
function run(...args: string[]): Promise<{ status: number | null; says: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [SCRIPT, ...args]);
    let says = "";
    child.stdout.on("data", (part) => {
      says += String(part);
    });
    child.stderr.on("data", (part) => {
      says += String(part);
    });
    child.on("close", (status) => done({ status, says }));
  });
}

const COUNT = 500;
const MINE = 123;
const document = sampleEvidence({ kind: "drand", count: COUNT });
const number = verifyEvidence(document, { index: MINE }).number ?? 0;

describe("draw:verify, given a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "sira-verify-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileOf = (content: unknown) => {
    const file = join(folder, "evidence.json");
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  };

  test("does the draw again and says so", async () => {
    const { status, says } = await run(fileOf(document));
    expect(says).toContain(`✓ All ${COUNT} numbers were drawn again; each goes to one index.`);
    expect(says).toContain("✓ Not steerable by the organizer");
    expect(says).toContain("none failed");
    expect(status).toBe(0);
  });

  test("says what does not hold, and exits 1", async () => {
    const { status, says } = await run(fileOf({ ...document, seed: "ab".repeat(32) }));
    expect(says).toContain("✗ The seed is not the one that was committed to.");
    expect(says).toContain("The draw does NOT hold");
    expect(status).toBe(1);
  });

  test("exits 1 for a file that is no evidence, is not there, or was not named", async () => {
    for (const args of [[fileOf("{}")], [fileOf("<html>")], [join(folder, "none.json")], []]) {
      expect((await run(...args)).status).toBe(1);
    }
  });
});

describe("draw:verify, given an event's page", () => {
  let server: Server;
  let origin = "";
  let shown: Evidence = document;
  let sign: (claims: Record<string, unknown>, forged?: boolean) => Promise<string>;

  beforeAll(async () => {
    const keys = await generateKeyPair("ES256", { extractable: true });
    const others = await generateKeyPair("ES256");
    const jwk = {
      ...(await exportJWK(keys.publicKey)),
      kid: "p1",
      alg: "ES256",
      use: "sig",
      "sira:use": "place",
    };
    sign = (claims, forged = false) =>
      new SignJWT({ epoch: 1, gen: 1, at: 0, sub: placeAt(MINE), ...claims })
        .setProtectedHeader({ alg: "ES256", typ: TOKEN_TYPES.place, kid: "p1" })
        .setIssuer(origin)
        .setAudience("room/sample-event")
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(forged ? others.privateKey : keys.privateKey);
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", origin);
      const json = (body: unknown) => response.end(JSON.stringify(body));
      if (url.pathname === "/.well-known/jwks.json") return json({ keys: [jwk] });
      if (url.pathname === "/api/queue/sample-event/draw") {
        const index = url.searchParams.get("index");
        const { proof } = sampleRecord({
          count: COUNT,
          ...(index === null ? {} : { proofOf: Number(index) }),
        });
        return json({ ...shown, ...(proof ? { proof } : {}) });
      }
      if (url.pathname === "/api/queue/sample-event/status") {
        const { event, epoch, commitment, seed, pool, beacon } = document;
        return json({
          event,
          epoch,
          pool: { count: COUNT, commitment, seed, size: pool?.count, root: pool?.root, beacon },
        });
      }
      response.writeHead(409, { "content-type": "application/problem+json" });
      return json({ title: "The draw has not taken place yet." });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  });
  afterAll(() => new Promise((done) => server.close(done)));

  test("finds a fan's own number and place, from index or number", async () => {
    for (const claims of [{ idx: MINE }, { idx: MINE, num: number }, { num: number }]) {
      const { status, says } = await run(`${origin}/e/sample-event`, "--place", await sign(claims));
      expect(says).toContain("✓ What the room shows everybody agrees with the evidence.");
      expect(says).toContain("✓ The place bears the room's signature.");
      expect(says).toContain(`✓ Index ${MINE} has number ${number}.`);
      expect(says).toContain("✓ That place is yours.");
      expect(status).toBe(0);
    }
  });

  test("says of a later arrival that no draw gave it its number", async () => {
    const { status, says } = await run(
      `${origin}/verify/sample-event`,
      "--place",
      await sign({ num: COUNT + 4 }),
    );
    expect(says).toContain("it was given by arrival");
    expect(status).toBe(0);
  });

  test.each<[string, Record<string, unknown>, boolean, string]>([
    ["a forged place", { idx: MINE }, true, "does not bear the room's signature"],
    [
      "a wrong number",
      { idx: MINE, num: 1 + (number % COUNT) },
      false,
      `has number ${number}, not`,
    ],
    ["somebody else's index", { idx: MINE + 1 }, false, "is not yours"],
    ["a place of another epoch", { idx: MINE, epoch: 2 }, false, "The place is of epoch 2"],
  ])("fails for %s", async (_, claims, forged, expected) => {
    const { status, says } = await run(
      `${origin}/e/sample-event`,
      "--place",
      await sign(claims, forged),
    );
    expect(says).toContain(expected);
    expect(status).toBe(1);
  });

  test("fails when the evidence is not what the room shows everybody", async () => {
    shown = sampleEvidence({ kind: "drand", count: COUNT - 1 });
    const { status, says } = await run(`${origin}/e/sample-event`);
    shown = document;
    expect(says).toContain("✗ The size of the pool that the room shows everybody");
    expect(status).toBe(1);
  });

  test("passes on what the gate answers instead", async () => {
    const { status, says } = await run(`${origin}/e/another-event`);
    expect(says).toContain("409: The draw has not taken place yet.");
    expect(status).toBe(1);
  });

  test("knows an event by any of its pages, and nothing else", () => {
    for (const path of ["e/x1", "verify/x1", "shop/x1/", "api/queue/x1/draw?index=2"]) {
      expect(eventOf(new URL(`https://gate.example/${path}`))).toEqual({
        origin: "https://gate.example",
        event: "x1",
      });
    }
    for (const path of ["", "e/", "e/X", "console", "other/x1"]) {
      expect(() => eventOf(new URL(`https://gate.example/${path}`))).toThrow(
        "is not the page of an event",
      );
    }
  });
});
