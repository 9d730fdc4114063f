// Web Push: the encryption of RFC 8291, whom the gate would call, and who is due a word.
import { base64url } from "jose";
import { describe, expect, test } from "vitest";
import { decideDue } from "../../../edge/wake/due.ts";
import { encryptPush } from "../../../edge/wake/encrypt.ts";
import { isPushEndpoint, PUSH_HOSTS_DEFAULT } from "../../../edge/wake/endpoint.ts";
import { judgeAnswer } from "../../../edge/wake/send.ts";
import { describeStatus } from "../../pages/facts.ts";

const bytes = (text: string) => new Uint8Array(base64url.decode(text));

test("a message is encrypted byte for byte as in the example of RFC 8291", async () => {
  const x = "_jP0qw3qcZFNtWgjHU1ZU9rrjwXEPJPW8eTzVKwhS0s";
  const point = bytes(
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  );
  expect(x).toHaveLength(43);
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: base64url.encode(point.slice(1, 33)),
    y: base64url.encode(point.slice(33)),
  };
  const ecdh = { name: "ECDH", namedCurve: "P-256" };
  const sender = {
    publicKey: await crypto.subtle.importKey("jwk", jwk, ecdh, true, []),
    privateKey: await crypto.subtle.importKey(
      "jwk",
      { ...jwk, d: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw" },
      ecdh,
      true,
      ["deriveBits"],
    ),
  };
  const sealed = await encryptPush(
    {
      p256dh: bytes(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      ),
      auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
    },
    new TextEncoder().encode("When I grow up, I want to be a watermelon"),
    { sender, salt: bytes("DGv6ra1nlYgDCS1FRnbzlw") },
  );
  expect(base64url.encode(sealed)).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

describe("the outbound guard", () => {
  const allowed = { hosts: PUSH_HOSTS_DEFAULT, secure: true };
  test("lets the browsers' push services through", () => {
    for (const endpoint of [
      "https://fcm.googleapis.com/fcm/send/abc:def",
      "https://updates.push.services.mozilla.com/wpush/v2/x",
      "https://web.push.apple.com/QG",
      "https://wns2-par02p.notify.windows.com/w/?token=x",
    ])
      expect(isPushEndpoint(endpoint, allowed), endpoint).toBe(true);
  });

  test("refuses everything else that a fan may name", () => {
    for (const endpoint of [
      "http://fcm.googleapis.com/x",
      "https://fcm.googleapis.com:8443/x",
      "https://user@fcm.googleapis.com/x",
      "https://fcm.googleapis.com.evil.example/x",
      "https://evilpush.apple.com.example/x",
      "https://push.apple.com.evil.example",
      "https://notpush.services.mozilla.com/x",
      "https://127.0.0.1/x",
      "https://[::1]/x",
      "https://169.254.169.254/latest",
      "https://2130706433/x",
      "https://localhost/x",
      "https://metadata.google.internal/x",
      "http://127.0.0.1:6379/",
      "file:///etc/passwd",
      "not an address",
      `https://fcm.googleapis.com/${"x".repeat(1_000)}`,
    ])
      expect(isPushEndpoint(endpoint, allowed), endpoint).toBe(false);
  });

  test("a developer's own service counts only where the gate itself is plain http", () => {
    const hosts = ["http://127.0.0.1:9999"];
    const endpoint = "http://127.0.0.1:9999/push/1";
    expect(isPushEndpoint(endpoint, { hosts, secure: false })).toBe(true);
    expect(isPushEndpoint(endpoint, { hosts, secure: true })).toBe(false);
  });
});

test("a service's answer says whether the subscription lives", () => {
  expect([201, 202, 204].map(judgeAnswer)).toEqual(["sent", "sent", "sent"]);
  expect([404, 410, 400, 403, 301, 307].map(judgeAnswer)).toEqual(Array(6).fill("dead"));
  expect([429, 500, 503].map(judgeAnswer)).toEqual(["later", "later", "later"]);
});

describe("who is due a word", () => {
  test("those called, and those who come within minutes", () => {
    // 1,000 people in ten minutes: five minutes are 500 of them, a mail is three times as early.
    expect(decideDue(describeStatus())).toEqual({ called: 100, nearPush: 600, nearMail: 1_600 });
    const { wait: _, ...unknown } = describeStatus();
    expect(decideDue(unknown)).toMatchObject({ nearPush: 150, nearMail: 150 });
  });

  test("nobody while the line stands or our word may be old, and never again after the end", () => {
    for (const phase of ["upcoming", "drawing", "paused", "sold_out"] as const)
      expect(decideDue(describeStatus({ phase }))).toBeUndefined();
    expect(decideDue(describeStatus({ stale: true }))).toBeUndefined();
    expect(decideDue(describeStatus({ phase: "closed" }))).toBe("over");
  });
});
