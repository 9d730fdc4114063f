// A payment incident: one act refunds a set of charges and writes to every buyer. The act is written
// down whole; a job then carries it out order by order, and goes on wherever it was stopped.
import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import { reasonSchema } from "../../shared/contract/common.ts";
import { Refusal } from "../../shared/errors.ts";
import { actorName, type Ctx } from "../context.ts";
import { INCIDENT_CHARGES_MAX, INCIDENT_ORDERS_PER_RUN_MAX } from "./limits.ts";

export const incidentSchema = z.strictObject({
  /** Attempts, or the provider's references of charges. */
  charges: z.array(z.string().min(1).max(200)).min(1).max(INCIDENT_CHARGES_MAX),
  reason: reasonSchema,
  /** For the next purchase, told in the mail. */
  voucher: z.string().trim().min(1).max(60).optional(),
});
export type IncidentRequest = z.infer<typeof incidentSchema>;

type Made =
  | { verdict: "created" | "existing" | "reused"; incident: string }
  | { verdict: "unknown_charge"; unknown: string[] };

const hashOf = ({ charges, reason, voucher }: IncidentRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([[...charges].sort(), reason, voucher]))
    .digest("base64url");

export async function createIncident(
  ctx: Ctx,
  input: { key: string; request: IncidentRequest },
): Promise<IncidentView> {
  const { request } = input;
  const made = await ctx.db.call<Made>(
    "create_incident",
    [
      ctx.ids.newId("inc"),
      input.key,
      hashOf(request),
      request.charges,
      request.reason,
      request.voucher ?? null,
      actorName(ctx.actor),
      ctx.requestId,
    ],
    { slow: true },
  );
  switch (made.verdict) {
    case "created":
    case "existing":
      return readIncident(ctx, made.incident);
    case "reused":
      throw new Refusal("idempotency_key_reused");
    case "unknown_charge":
      throw new Refusal("not_found", {
        detail: "Not a charge of ours; nothing was refunded.",
        facts: { charges: made.unknown.slice(0, 20) },
      });
  }
}

export type IncidentView = {
  id: string;
  reason: string;
  voucher: string | null;
  createdAt: string;
  orders: number;
  /** Refunds written and the buyer's mail on its way. */
  done: number;
  refunds: { succeeded: number; failed: number; open: number };
  mails: number;
};

const INCIDENT = `
  select i.id, i.reason, i.voucher, iso_time(i.created_at) as "createdAt",
    (select count(*)::int from incident_orders w where w.incident_id = i.id) as orders,
    (select count(*)::int from incident_orders w where w.incident_id = i.id and w.state = 'done')
      as done,
    (select jsonb_build_object('succeeded', count(*) filter (where r.state = 'succeeded'),
        'failed', count(*) filter (where r.state = 'failed'),
        'open', count(*) filter (where r.state not in ('succeeded', 'failed')))
      from refunds r where r.incident_id = i.id) as refunds,
    (select count(*)::int from mails m
      where m.kind = 'incident' and m.state = 'sent' and m.message_id like '<incident.' || i.id || '.%')
      as mails
  from incidents i where i.id = $1`;

export async function readIncident(ctx: Pick<Ctx, "db">, id: string): Promise<IncidentView> {
  const [row] = await ctx.db.read<IncidentView>(INCIDENT, [id]);
  if (row === undefined) throw new Refusal("not_found");
  return row;
}

/** Safe beside itself: each order is taken by one worker, in one call. */
export async function runIncidents(ctx: Ctx): Promise<number> {
  for (let done = 0; done < INCIDENT_ORDERS_PER_RUN_MAX; done += 1) {
    const { order } = await ctx.db.call<{ order: string | null }>("advance_incident", []);
    if (order === null) return done;
  }
  return INCIDENT_ORDERS_PER_RUN_MAX;
}
