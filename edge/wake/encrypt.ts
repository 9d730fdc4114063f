/**
 * Message encryption for Web Push (RFC 8291, on `aes128gcm` of RFC 8188). Only the browser that made
 * the subscription can read what is sent; its push service cannot. Pure but for the sender's fresh key.
 */

export type PushKeys = {
  /** The browser's P-256 point, uncompressed, 65 bytes. */
  p256dh: Uint8Array;
  /** Its secret, 16 bytes. */
  auth: Uint8Array;
};

export const POINT_BYTES = 65;
export const AUTH_BYTES = 16;
const SALT_BYTES = 16;
/** One record holds all of it: services take no more than 4,096 bytes. */
const RECORD_BYTES = 4_096;
/** Tag (16) and delimiter (1) of the record, and its header, must fit in. */
const PLAIN_BYTES_MAX = RECORD_BYTES - 17 - (SALT_BYTES + 5 + POINT_BYTES);
const ECDH = { name: "ECDH", namedCurve: "P-256" } as const;
const LAST_RECORD = 2;

const text = (value: string) => new TextEncoder().encode(value);

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function derive(
  input: Uint8Array<ArrayBuffer>,
  more: { salt: Uint8Array<ArrayBuffer>; info: Uint8Array<ArrayBuffer>; bytes: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", input, "HKDF", false, ["deriveBits"]);
  const { salt, info, bytes } = more;
  const bits = await crypto.subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt, info },
    key,
    bytes * 8,
  );
  return new Uint8Array(bits);
}

/** @param given fixed in tests only: the sender's key pair and the salt are new for each message. */
export async function encryptPush(
  keys: PushKeys,
  plain: Uint8Array,
  given: { sender?: CryptoKeyPair; salt?: Uint8Array<ArrayBuffer> } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  if (plain.length > PLAIN_BYTES_MAX) throw new Error("too long for one record");
  const browser = await crypto.subtle.importKey("raw", join(keys.p256dh), ECDH, false, []);
  const sender =
    given.sender ??
    ((await crypto.subtle.generateKey(ECDH, true, ["deriveBits"])) as CryptoKeyPair);
  const salt = given.salt ?? crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const point = new Uint8Array(
    (await crypto.subtle.exportKey("raw", sender.publicKey)) as ArrayBuffer,
  );
  const agreement = { name: "ECDH", public: browser };
  const shared = new Uint8Array(await crypto.subtle.deriveBits(agreement, sender.privateKey, 256));
  const secret = await derive(shared, {
    salt: join(keys.auth),
    info: join(text("WebPush: info\0"), keys.p256dh, point),
    bytes: 32,
  });
  const [content, nonce] = await Promise.all([
    derive(secret, { salt, info: join(text("Content-Encoding: aes128gcm\0")), bytes: 16 }),
    derive(secret, { salt, info: join(text("Content-Encoding: nonce\0")), bytes: 12 }),
  ]);
  const key = await crypto.subtle.importKey("raw", content, "AES-GCM", false, ["encrypt"]);
  const record = join(plain, new Uint8Array([LAST_RECORD]));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, record);
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, RECORD_BYTES);
  return join(salt, size, new Uint8Array([point.length]), point, new Uint8Array(sealed));
}
