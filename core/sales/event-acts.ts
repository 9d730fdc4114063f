// An event is called off or moved in one act; refunds and mails follow by themselves.
import { createHash } from "node:crypto";
import type { EventAct } from "../../shared/contract/sales.ts";
import { Refusal } from "../../shared/errors.ts";
import { actorName, type Ctx, type OrganizerActor } from "../context.ts";

type Verdict = {
  verdict: "done" | "existing" | "reused" | "unknown_event" | "cancelled";
  incident?: string;
};

const hashOf = (input: object): string =>
  createHash("sha256").update(JSON.stringify(input)).digest("base64url");

const keyOf = (event: string, key: string) => `${event}:${key}`;

export async function cancelEvent(
  ctx: Ctx<OrganizerActor>,
  input: { event: string; key: string; reason: string },
): Promise<EventAct> {
  const { event, key, reason } = input;
  const made = await ctx.db.call<Verdict>(
    "cancel_event",
    [
      ctx.ids.newId("inc"),
      keyOf(event, key),
      hashOf({ reason }),
      event,
      reason,
      actorName(ctx.actor),
      ctx.requestId,
    ],
    { slow: true },
  );
  return settled(ctx, event, made);
}

export async function postponeEvent(
  ctx: Ctx<OrganizerActor>,
  input: { event: string; key: string; startsAt: string; reason: string },
): Promise<EventAct> {
  const { event, key, startsAt, reason } = input;
  const made = await ctx.db.call<Verdict>(
    "postpone_event",
    [
      ctx.ids.newId("inc"),
      keyOf(event, key),
      hashOf({ startsAt, reason }),
      event,
      startsAt,
      reason,
      actorName(ctx.actor),
      ctx.requestId,
    ],
    { slow: true },
  );
  return settled(ctx, event, made);
}

async function settled(ctx: Ctx<OrganizerActor>, event: string, made: Verdict): Promise<EventAct> {
  switch (made.verdict) {
    case "unknown_event":
      throw new Refusal("unknown_event");
    case "reused":
      throw new Refusal("idempotency_key_reused");
    case "cancelled":
      throw new Refusal("action_not_possible", { detail: "The event has been called off." });
    case "done":
    case "existing": {
      ctx.live.publish({ event });
      const act = (await listEventActs(ctx, event)).find(({ id }) => id === made.incident);
      if (act === undefined) throw new Refusal("not_found");
      return act;
    }
  }
}

const ACTS = `
  select i.id, i.kind, i.reason, iso_time(i.created_at) as "createdAt",
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
  from incidents i where i.event_id = $1 order by i.created_at desc limit 50`;

export const listEventActs = (ctx: Pick<Ctx, "db">, event: string): Promise<EventAct[]> =>
  ctx.db.read<EventAct>(ACTS, [event]);
