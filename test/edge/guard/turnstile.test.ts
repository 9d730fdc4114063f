import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  decideChallenge,
  VERIFIER_AWAY_MS,
  verifyTurnstile,
} from "../../../edge/guard/turnstile.ts";

/** Stands in for the verifier: the token says what it answers. */
let server: Server;
let url: string;
const asked: URLSearchParams[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      asked.push(form);
      const token = form.get("response") ?? "";
      if (token === "500") response.statusCode = 500;
      if (token === "moved") response.writeHead(302, { location: "/elsewhere" });
      response.end(token === "html" ? "<html>" : token.startsWith("{") ? token : "{}");
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const good = { success: true, action: "alpha", cdata: "plc_1", hostname: "tickets.example" };
const verify = (token: string, at = url) =>
  verifyTurnstile(
    { url: at, secret: "s3cret", fetch },
    { token, event: "alpha", place: "plc_1", hostname: "tickets.example" },
  );
const verifyAnswer = (answer: object) => verify(JSON.stringify(answer));

describe("Turnstile", () => {
  it("passes a token that is for this event, this place and this site", async () => {
    expect(await verifyAnswer(good)).toBe("passed");
    expect(asked.at(-1)?.get("secret")).toBe("s3cret");
    for (const wrong of [{ action: "beta" }, { cdata: "plc_2" }, { hostname: "evil.example" }])
      expect(await verifyAnswer({ ...good, ...wrong })).toBe("failed");
  });

  it("fails a token that was judged bad, used or too old, and one that is no token", async () => {
    for (const code of ["invalid-input-response", "timeout-or-duplicate"])
      expect(await verifyAnswer({ success: false, "error-codes": [code] })).toBe("failed");
    expect(await verify("")).toBe("failed");
    expect(await verify("x".repeat(3_000))).toBe("failed");
  });

  it("tells an outage, and a mistake of our own, from a failure", async () => {
    for (const token of ["500", "moved", "html", "{}"]) expect(await verify(token)).toBe("away");
    expect(await verify("x", "http://127.0.0.1:1/")).toBe("away");
    for (const code of ["invalid-input-secret", "internal-error"])
      expect(await verifyAnswer({ success: false, "error-codes": [code] })).toBe("away");
  });
});

describe("what a join is asked for", () => {
  const now = 1_000;
  const base = { isKnown: false, verifierAwayUntil: 0, now };
  it("is what the room says, and nothing of whoever has a place", () => {
    for (const setting of ["none", "pow", "turnstile"] as const) {
      expect(decideChallenge({ ...base, setting })).toEqual({ kind: setting });
      expect(decideChallenge({ ...base, setting, isKnown: true })).toEqual({ kind: "none" });
    }
  });
  it("is a proof of work while the verifier is away, and says why", () => {
    const away = {
      ...base,
      setting: "turnstile" as const,
      verifierAwayUntil: now + VERIFIER_AWAY_MS,
    };
    expect(decideChallenge(away)).toEqual({ kind: "pow", because: "verifier_away" });
    expect(decideChallenge({ ...away, verifierAwayUntil: now })).toEqual({ kind: "turnstile" });
  });
});
