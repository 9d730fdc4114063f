/** How a room looks, as far as the gate itself must know. Pure. */

/** The name changes with the picture, so that it can be kept for good. */
export function logoPath(event: string, logo: string): string {
  let hash = 0;
  for (let at = 0; at < logo.length; at += 1) hash = (hash * 31 + logo.charCodeAt(at)) >>> 0;
  return `/api/queue/${event}/logo?v=${hash.toString(36)}`;
}

const DATA = /^data:(image\/(?:png|jpeg|webp));base64,(.+)$/;

export function pictureOf(
  logo: string,
): { type: string; bytes: Uint8Array<ArrayBuffer> } | undefined {
  const [, type, text] = DATA.exec(logo) ?? [];
  if (type === undefined || text === undefined) return undefined;
  try {
    return { type, bytes: Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) };
  } catch {
    return undefined;
  }
}
