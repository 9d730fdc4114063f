import { createHash, timingSafeEqual } from "node:crypto";
import type { Role } from "../../shared/token/claims.ts";
import { actorName, type Ctx, type JobActor, type OrganizerActor } from "../context.ts";

/**
 * Organizer keys: long random text, kept only as SHA-256 (a slow hash would guard a guessable
 * secret; these are 192 random bits or the deployment's own ORGANIZER_KEY).
 */

export type KeyHolder = { id: string; role: Role; events: string[] };

export const BOOTSTRAP_ID = "bootstrap";

const hashOf = (key: string): Buffer => createHash("sha256").update(key, "utf8").digest();

/** Whom a key belongs to. The deployment's own key is the owner of everything. */
export async function findKeyHolder(
  ctx: Pick<Ctx, "db" | "config">,
  key: string,
): Promise<KeyHolder | undefined> {
  const hash = hashOf(key);
  if (timingSafeEqual(hash, hashOf(ctx.config.organizerKey)))
    return { id: BOOTSTRAP_ID, role: "owner", events: ["*"] };
  const [row] = await ctx.db.write<{ id: string; role: Role; events: string[] }>(
    `update organizer_keys set last_used_at = clock_timestamp()
     where key_hash = decode($1, 'hex') and revoked_at is null
     returning id, role, to_jsonb(events) as events`,
    [hash.toString("hex")],
  );
  return row;
}

export type NewKey = { name: string; role: Role; events: string[] };
export type KeyView = {
  id: string;
  name: string;
  role: Role;
  events: string[];
  createdAt: string;
  revokedAt?: string;
};

/** The key itself is shown once, here. */
export async function createKey(
  ctx: Pick<Ctx<OrganizerActor | JobActor>, "db" | "ids" | "actor" | "requestId">,
  input: NewKey,
): Promise<{ id: string; key: string }> {
  const id = ctx.ids.newId("key");
  const key = `sk_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url")}`;
  await ctx.db.write(
    `with made as (
       insert into organizer_keys (id, key_hash, name, role, events, created_by)
       values ($1, decode($2, 'hex'), $3, $4, $5, $6)
       returning id, name, role, events
     )
     select append_audit($7, 'key_created', null, id,
       jsonb_build_object('name', name, 'role', role, 'events', to_jsonb(events)), $8)
     from made`,
    [
      id,
      hashOf(key).toString("hex"),
      input.name,
      input.role,
      input.events,
      actorName(ctx.actor),
      actorName(ctx.actor),
      ctx.requestId,
    ],
  );
  return { id, key };
}

/** `false`: no such key, or revoked before. Its sessions end here at once, at the gate in their hour. */
export async function revokeKey(ctx: Ctx<OrganizerActor>, input: { id: string }): Promise<boolean> {
  const rows = await ctx.db.write(
    `with gone as (
       update organizer_keys set revoked_at = clock_timestamp()
       where id = $1 and revoked_at is null returning id
     )
     select append_audit($2, 'key_revoked', null, id, '{}', $3) from gone`,
    [input.id, `organizer:${ctx.actor.id}`, ctx.requestId],
  );
  return rows.length === 1;
}

export const listKeys = (ctx: Pick<Ctx, "db">): Promise<KeyView[]> =>
  ctx.db
    .read<{ view: KeyView }>(
      `select jsonb_strip_nulls(jsonb_build_object(
         'id', id, 'name', name, 'role', role, 'events', to_jsonb(events),
         'createdAt', iso_time(created_at), 'revokedAt', iso_time(revoked_at))) as view
       from organizer_keys order by created_at limit 500`,
    )
    .then((rows) => rows.map(({ view }) => view));
