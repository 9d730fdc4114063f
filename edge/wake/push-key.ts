import { base64url } from "jose";
import { z } from "zod";

/** The gate's VAPID key (RFC 8292), as `npm run keys` makes it. */

const coordinateSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

export const pushKeySchema = z.object({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: coordinateSchema,
  y: coordinateSchema,
  d: coordinateSchema,
});

export type PushKey = { jwk: z.infer<typeof pushKeySchema>; publicKey: string };

const UNCOMPRESSED = 4;

/** The public half as browsers want it: the uncompressed point, base64url. */
export function pushKeyOf(jwk: z.infer<typeof pushKeySchema>): PushKey {
  const point = [UNCOMPRESSED, ...base64url.decode(jwk.x), ...base64url.decode(jwk.y)];
  return { jwk, publicKey: base64url.encode(new Uint8Array(point)) };
}
