import { z } from "zod";
import { eventIdSchema } from "../../shared/contract/common.ts";
import { ROLES, type Role } from "../../shared/token/claims.ts";

/** Which people of an OpenID provider may do what here. Pure. */

const grantSchema = z.strictObject({
  /** A claim of the ID token; `groups` and the like may be lists. */
  claim: z.string().min(1).max(120),
  value: z.string().min(1).max(300),
  role: z.enum(ROLES),
  events: z.array(z.union([z.literal("*"), eventIdSchema])).min(1),
});

/** One entry of `OIDC_PROVIDERS`. The client is public (PKCE): there is no secret to keep. */
export const oidcProviderSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/),
  /** What stands on the button. */
  name: z.string().min(1).max(60),
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1).max(300),
  scope: z.string().min(1).max(300).default("openid email"),
  grants: z.array(grantSchema).min(1).max(500),
});
export type OidcProvider = z.infer<typeof oidcProviderSchema>;

type Claims = Readonly<Record<string, unknown>>;

/** An address that the provider has not verified is anybody's to claim. */
function holds(claims: Claims, claim: string, value: string): boolean {
  if (claim === "email" && claims["email_verified"] !== true) return false;
  const found = claims[claim];
  if (Array.isArray(found)) return found.includes(value);
  if (claim === "email" && typeof found === "string")
    return found.toLowerCase() === value.toLowerCase();
  return found === value;
}

/**
 * The highest role that is granted, for the events of all grants of that role. `undefined`: nobody of
 * ours, whoever they are over there.
 */
export function grantOf(
  provider: Pick<OidcProvider, "grants">,
  claims: Claims,
): { role: Role; events: string[] } | undefined {
  const granted = provider.grants.filter(({ claim, value }) => holds(claims, claim, value));
  const role = ROLES.find((each) => granted.some((grant) => grant.role === each));
  if (role === undefined) return undefined;
  const events = new Set(granted.filter((grant) => grant.role === role).flatMap((g) => g.events));
  return { role, events: events.has("*") ? ["*"] : [...events].sort() };
}
