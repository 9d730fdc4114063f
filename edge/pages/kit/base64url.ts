/** base64url without padding, as JOSE writes it. */
export function toBase64url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export const textToBase64url = (text: string): string =>
  toBase64url(new TextEncoder().encode(text));

/**
 * The claims of a token that the gate gave us, for showing times to the fan. Nothing is decided by
 * them: the servers verify, the page only reads.
 */
export function readClaims(token: string): Record<string, unknown> {
  try {
    const body = token.split(".")[1] ?? "";
    const text = atob(body.replaceAll("-", "+").replaceAll("_", "/"));
    const claims: unknown = JSON.parse(text);
    return typeof claims === "object" && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
