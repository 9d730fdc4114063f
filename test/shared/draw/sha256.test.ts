import { createHash, createHmac, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { toHex, utf8 } from "../../../shared/draw/hex.ts";
import { hmacSha256, sha256 } from "../../../shared/draw/sha256.ts";

const hex = (bytes: Uint8Array) => toHex(bytes);

describe("SHA-256", () => {
  test("gives the digests of FIPS 180-4's examples", () => {
    expect(hex(sha256(utf8("abc")))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    expect(hex(sha256(utf8("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")))).toBe(
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    );
    expect(hex(sha256(new Uint8Array(1_000_000).fill(0x61)))).toBe(
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    );
  });

  test("agrees with node:crypto at every length up to five blocks", () => {
    for (let length = 0; length <= 320; length++) {
      const bytes = randomBytes(length);
      const expected = createHash("sha256").update(bytes).digest("hex");
      expect(hex(sha256(bytes)), bytes.toString("hex")).toBe(expected);
    }
  });

  test("hashes several parts as one", () => {
    expect(sha256(utf8("a"), utf8(""), utf8("bc"))).toEqual(sha256(utf8("abc")));
  });
});

describe("HMAC-SHA-256", () => {
  test("gives the digest of RFC 4231's second case", () => {
    expect(hex(hmacSha256(utf8("Jefe")).digest(utf8("what do ya want for nothing?")))).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  test("agrees with node:crypto for every key length and many messages, and keeps no trace", () => {
    for (let length = 0; length <= 64; length++) {
      const key = randomBytes(length);
      const hmac = hmacSha256(key);
      for (const size of [0, 5, 55, 56, 63, 64, 119, 120, 200]) {
        const message = randomBytes(size);
        const expected = createHmac("sha256", key).update(message).digest();
        expect(hex(hmac.digest(message))).toBe(expected.toString("hex"));
        expect(hmac.word(message)).toBe(expected.readUInt32BE(0));
      }
    }
  });
});
