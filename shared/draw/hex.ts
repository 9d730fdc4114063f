import { assert } from "../result.ts";

/** Lower-case hex, the only text form of bytes in a draw. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  assert(/^(?:[0-9a-f]{2})*$/.test(text), "bytes are written in lower-case hex");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
