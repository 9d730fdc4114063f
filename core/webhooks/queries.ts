// Webhooks to organizers' own systems. Each act writes its line of the audit log in its own statement.

export const CREATE_ENDPOINT = `
  with made as (
    insert into webhook_endpoints (id, event_id, url, kinds, sealed_secret, created_by)
    select $1, e.event_id, $3, $4, $5, $6 from events e where e.event_id = $2
    returning id, event_id, url, kinds
  )
  select append_audit($6, 'webhook_created', event_id, id,
    jsonb_build_object('url', url, 'kinds', to_jsonb(kinds)), $7) from made`;

export const LIST_ENDPOINTS = `
  select jsonb_build_object('id', id, 'event', event_id, 'url', url, 'kinds', to_jsonb(kinds),
    'state', state, 'createdAt', iso_time(created_at)) as view
  from webhook_endpoints where event_id = $1 order by created_at limit 100`;

export const DELETE_ENDPOINT = `
  with gone as (
    delete from webhook_endpoints where id = $1 and event_id = $2 returning id, event_id, url
  )
  select append_audit($3, 'webhook_deleted', event_id, id, jsonb_build_object('url', url), $4)
  from gone`;

/** What a hold was of; its lines stay when it has ended. */
export const HOLD_UNITS = `
  select
    (select coalesce(jsonb_agg(seat_id order by seat_id), '[]') from hold_seats
      where event_id = $1 and hold_id = $2) as seats,
    (select coalesce(jsonb_agg(jsonb_build_object('id', zone_id, 'quantity', quantity)
      order by zone_id), '[]') from hold_zones where event_id = $1 and hold_id = $2) as zones`;

/** One delivery for each endpoint that listens, and the outbox row that has it sent; both or none. */
export const FAN_OUT = `
  with made as (
    insert into webhook_deliveries (id, endpoint_id, outbox_id, event_id, order_id, kind, payload)
    select 'whd_' || replace(gen_random_uuid()::text, '-', ''), w.id, $1, $2, $3, $4, $5
    from webhook_endpoints w
    where w.event_id = $2 and w.state = 'active' and $4 = any (w.kinds)
    on conflict (endpoint_id, outbox_id) do nothing
    returning id, event_id
  )
  insert into outbox (id, event_id, kind, payload)
  select 'out_' || gen_random_uuid(), event_id, 'webhook.deliver',
    jsonb_build_object('delivery', id)
  from made returning id`;

export type DueDelivery = {
  id: string;
  endpoint: string;
  kind: string;
  payload: Record<string, unknown>;
  created_at: string;
  url: string;
  sealed_secret: string;
  tries: number;
};

export const BEGIN_DELIVERY = `
  update webhook_deliveries d set tries = d.tries + 1
  from webhook_endpoints w
  where d.id = $1 and d.state = 'waiting' and w.id = d.endpoint_id and w.state = 'active'
  returning d.id, d.endpoint_id as endpoint, d.kind, d.payload, iso_time(d.created_at) as created_at,
    w.url, w.sealed_secret, d.tries`;

export const END_DELIVERY = `
  update webhook_deliveries
  set state = $2, last_status = $3, last_fault = $4,
    ended_at = case when $2 <> 'waiting' then clock_timestamp() end
  where id = $1 and state = 'waiting'`;

/** 410: the other side wants no more, now or later. */
export const DISABLE_ENDPOINT = `
  with gone as (
    update webhook_endpoints set state = 'disabled' where id = $1 and state = 'active'
    returning id, event_id
  ), dead as (
    update webhook_deliveries d set state = 'dead', ended_at = clock_timestamp()
    from gone where d.endpoint_id = gone.id and d.state = 'waiting'
  )
  select append_audit('job:webhook-delivery', 'webhook_disabled', event_id, id, '{}', $2) from gone`;

export const LIST_DELIVERIES = `
  select jsonb_strip_nulls(jsonb_build_object('id', id, 'webhook', endpoint_id, 'kind', kind,
    'order', order_id, 'state', state, 'tries', tries, 'lastStatus', last_status,
    'lastFault', last_fault, 'createdAt', iso_time(created_at), 'endedAt', iso_time(ended_at)))
    as view
  from webhook_deliveries
  where event_id = $1 and ($2::text is null or state = $2)
    and ($3::timestamptz is null or created_at < $3)
  order by created_at desc, id limit $4`;

/** Sent again from the first try, under its old id, so that the other side can tell it is the same. */
export const RESEND_DELIVERY = `
  with again as (
    update webhook_deliveries set state = 'waiting', tries = 0, ended_at = null
    where id = $1 and event_id = $2 and state <> 'waiting' returning id, event_id
  ), queued as (
    insert into outbox (id, event_id, kind, payload)
    select 'out_' || gen_random_uuid(), event_id, 'webhook.deliver',
      jsonb_build_object('delivery', id) from again
  )
  select append_audit($3, 'webhook_resent', event_id, id, '{}', $4) from again`;
