import type { Context, MiddlewareHandler } from "hono";
import { readAuthorization } from "../../shared/admission/authorization.ts";
import { Refusal } from "../../shared/errors.ts";
import { ORGANIZER_AUDIENCE, ROLES, type Role } from "../../shared/token/claims.ts";
import { verifyToken } from "../../shared/token/verify.ts";
import type { Deps, OrganizerActor } from "../context.ts";
import type { AppEnv } from "../http/router.ts";

/** What a call needs: at least this role, for this event (or for all of them). */
export type Need = {
  role: Exclude<Role, "scanner">;
  event?: string | undefined;
  /** The call is one of the few that a door's phone makes. */
  orScanner?: true;
};

/**
 * Pure. A viewer looks, an operator acts, an owner also changes who may and what is sold. A scanner
 * stands beside them: a key on a phone at a door, good for the calls that name it and for no other.
 */
export function mayAct(actor: Pick<OrganizerActor, "role" | "events">, need: Need): boolean {
  const rank = (role: Role) => ROLES.length - ROLES.indexOf(role);
  const mayByRole =
    actor.role === "scanner" ? need.orScanner === true : rank(actor.role) >= rank(need.role);
  if (!mayByRole) return false;
  if (actor.events.includes("*")) return true;
  return need.event !== undefined && actor.events.includes(need.event);
}

const unsigned = () =>
  new Refusal("organizer_required", { headers: { "www-authenticate": "Bearer" } });

type Tools = Pick<Deps, "config" | "keys" | "clock" | "db">;

async function identifyOrganizer(c: Context, deps: Tools): Promise<OrganizerActor> {
  const read = readAuthorization(c.req.header("authorization"));
  if (!read.ok || read.value.scheme !== "bearer") throw unsigned();
  const verified = await verifyToken(
    read.value.token,
    async (kid, use) => deps.keys.verifying(kid, use),
    {
      use: "organizer",
      issuer: deps.config.origin,
      audience: ORGANIZER_AUDIENCE,
      now: deps.clock.now(),
    },
  );
  if (!verified.ok)
    throw new Refusal("credential_invalid", {
      reason: verified.error.reason,
      headers: { "www-authenticate": 'Bearer error="invalid_token"' },
    });
  const { sub, role, events } = verified.value;
  // A session lasts an hour; a key that is revoked meanwhile ends it here at once.
  const [revoked] = await deps.db.read(
    "select 1 from organizer_keys where id = $1 and revoked_at is not null",
    [sub],
  );
  if (revoked !== undefined)
    throw new Refusal("credential_invalid", {
      reason: `key ${sub} is revoked`,
      headers: { "www-authenticate": 'Bearer error="invalid_token"' },
    });
  return { kind: "organizer", id: sub, role, events };
}

/** Who calls, by their organizer token; 401 without one, 403 `forbidden` beyond role or events. */
export async function requireOrganizer(
  c: Context,
  deps: Tools,
  need: Need,
): Promise<OrganizerActor> {
  const actor = await identifyOrganizer(c, deps);
  if (!mayAct(actor, need))
    throw new Refusal("forbidden", {
      reason: `${actor.role} of ${actor.events.length} events`,
    });
  return actor;
}

/** How somebody becomes an organizer. */
const SIGN_IN = /^\/v1\/organizer\/(sessions|oidc(\/.*)?)$/;

/** Before any body is read: a stranger hears 401, and not what is wrong with a field. */
export const organizersOnly = (deps: Tools): MiddlewareHandler<AppEnv> =>
  async function onlyOrganizers(c, next) {
    if (!SIGN_IN.test(c.req.path)) await identifyOrganizer(c, deps);
    await next();
  };
