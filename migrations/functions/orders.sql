-- Orders: made once per hold, paid by settle_order, and ended by cancel, expiry or refund.

-- The total is fixed here and charged exactly: it is the sum of the lines, to the unit. Prices are the
-- hold's; fees and tax the event's posted ones.
-- `p_cart` (`[{id, variant?, quantity}]`) becomes lines of the order: what the hold does not have yet is
-- taken into it here, all of it or nothing, so that stock moves with the hold and never by a cart.
-- Answers {verdict, order?, total?, addon?, available?}: created | known | not_found | hold_not_live |
-- hold_expired | unknown_addon | addon_sold_out.
create or replace function create_order(
  p_order text, p_intent text, p_event text, p_hold text, p_account text, p_jti text, p_email text,
  p_name text, p_locale text, p_accept_equal boolean, p_cart jsonb default '[]'
) returns jsonb language plpgsql as $$
declare
  h holds;
  v_known text;
  v_total bigint;
  v_more jsonb := cart_surplus(p_event, p_hold, p_cart);
  v_refused jsonb;
begin
  if v_more <> '[]' then
    -- With stock to take, the locks are taken in the order of all functions, the hold's own last.
    perform lock_inventory(p_event, array[p_hold], '{}', '{}', '{}', '{}', addon_keys(v_more));
  end if;
  -- The hold before the order is safe here alone: the order is new, so nobody waits for it.
  select * into h from holds
    where event_id = p_event and id = p_hold and account = p_account for update;
  if not found then
    return jsonb_build_object('verdict', 'not_found');
  end if;
  select id, total_amount into v_known, v_total from orders where event_id = p_event and hold_id = p_hold;
  if found then
    return jsonb_build_object('verdict', 'known', 'order', v_known, 'total', v_total);
  end if;
  if h.state in ('released', 'sold') then
    return jsonb_build_object('verdict', 'hold_not_live');
  end if;
  if h.state <> 'live' or h.expires_at <= sale_clock() then
    return jsonb_build_object('verdict', 'hold_expired');
  end if;
  if v_more <> '[]' then
    v_refused := judge_addons(p_event, v_more);
    if v_refused is not null then
      return (v_refused - 'result') || jsonb_build_object('verdict', v_refused ->> 'result');
    end if;
    perform take_cart(h, v_more);
  end if;
  select sum(amount) into v_total from order_lines_of(p_event, p_hold);
  insert into orders (id, event_id, hold_id, place, account, admission_jti, buyer_email, buyer_name,
      buyer_locale, accept_equal_seats, total_amount, currency)
    values (p_order, p_event, p_hold, h.place, h.account, p_jti, p_email, p_name, p_locale,
      p_accept_equal, v_total, h.currency);
  insert into order_lines (order_id, line_no, event_id, kind, seat_id, zone_id, addon_id, variant,
      label, quantity, unit_amount, amount, currency)
    -- In the order in which a person reads them: seat 4 before 8 before 23, row 9 before 10.
    select p_order, row_number() over (order by l.rank, s.section_id, length(s.row_id), s.row_id,
        s.place, l.label, l.variant, l.unit_amount), p_event, l.kind, l.seat_id, l.zone_id,
      l.addon_id, l.variant, l.label, l.quantity, l.unit_amount, l.amount, h.currency
    from order_lines_of(p_event, p_hold) l
    left join seats s on s.event_id = p_event and s.seat_id = l.seat_id;
  insert into payment_intents (id, order_id, amount, currency)
    values (p_intent, p_order, v_total, h.currency);
  return jsonb_build_object('verdict', 'created', 'order', p_order, 'total', v_total);
end
$$;

-- What of a cart the hold does not have yet. A shop that held its add-ons at once is not charged twice.
create or replace function cart_surplus(p_event text, p_hold text, p_cart jsonb) returns jsonb
language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'variant', w.variant,
      'quantity', w.quantity - coalesce(l.quantity, 0)) order by w.id, w.variant), '[]')
  from jsonb_to_recordset(canonical_addons(p_cart)) as w (id text, variant text, quantity integer)
  left join hold_addons l on l.event_id = p_event and l.hold_id = p_hold and l.addon_id = w.id
    and l.variant = w.variant and l.state = 'live'
  where w.quantity > coalesce(l.quantity, 0)
$$;

-- Takes a cart's add-ons into a living hold; the caller has locked and judged them.
create or replace function take_cart(h holds, p_more jsonb) returns void language plpgsql as $$
declare
  v_taken integer;
begin
  insert into hold_addons as l (event_id, hold_id, addon_id, variant, quantity, price, held_until)
    select h.event_id, h.id, w.id, w.variant, w.quantity, a.price, h.expires_at
    from jsonb_to_recordset(p_more) as w (id text, variant text, quantity integer)
    join addons a on a.event_id = h.event_id and a.addon_id = w.id and a.variant = w.variant
    on conflict (event_id, hold_id, addon_id, variant)
      do update set quantity = l.quantity + excluded.quantity;
  update addons a
    set held = a.held + w.quantity, version = nextval('inventory_version')
    from jsonb_to_recordset(p_more) as w (id text, variant text, quantity integer)
    where a.event_id = h.event_id and a.addon_id = w.id and a.variant = w.variant
      and a.held + a.sold + w.quantity <= a.stock;
  get diagnostics v_taken = row_count;
  if v_taken <> jsonb_array_length(p_more) then
    raise exception 'hold % found an add-on sold out under its lock', h.id;
  end if;
  update holds set total_amount = (
      select sum(x.price * x.quantity) from (
        select price, 1 as quantity from hold_seats where event_id = h.event_id and hold_id = h.id
        union all
        select price, quantity from hold_zones where event_id = h.event_id and hold_id = h.id
        union all
        select price, quantity from hold_addons where event_id = h.event_id and hold_id = h.id) x)
    where event_id = h.event_id and id = h.id;
end
$$;

-- What a hold costs, line by line: its units at the hold's prices, then fees (of the price where it
-- has its own, else the event's; add-ons bear none), then tax on the sum.
create or replace function order_lines_of(p_event text, p_hold text)
returns table (rank integer, kind text, seat_id text, zone_id text, addon_id text, variant text,
  label text, quantity integer, unit_amount bigint, amount bigint) language sql stable as $$
  with units as (
    select 1 as rank, 'seat' as kind, l.seat_id, l.zone_id, null as addon_id, null as variant,
        l.seat_id as label, 1 as quantity, l.price as unit_amount
      from hold_seats l where l.event_id = p_event and l.hold_id = p_hold
    union all
    select 2, 'zone', null, l.zone_id, null, null, z.name, l.quantity, l.price
      from hold_zones l join zones z on z.event_id = l.event_id and z.zone_id = l.zone_id
      where l.event_id = p_event and l.hold_id = p_hold
    union all
    select 3, 'addon', null, null, l.addon_id, nullif(l.variant, ''), a.name, l.quantity, l.price
      from hold_addons l join addons a on a.event_id = l.event_id and a.addon_id = l.addon_id
        and a.variant = l.variant
      where l.event_id = p_event and l.hold_id = p_hold
  ), fees as (
    select 4 as rank, 'fee' as kind, 'fee per ticket' as label, sum(u.quantity)::integer as quantity,
        coalesce(z.fee, e.fee_per_unit) as unit_amount
      from units u
      join events e on e.event_id = p_event
      join zones z on z.event_id = p_event and z.zone_id = u.zone_id
      where u.kind <> 'addon' and coalesce(z.fee, e.fee_per_unit) > 0
      group by coalesce(z.fee, e.fee_per_unit)
    union all
    select 5, 'fee', 'fee per order', 1, e.fee_per_order
      from events e where e.event_id = p_event and e.fee_per_order > 0
  ), net as (
    select sum(quantity * unit_amount) as amount from (
      select quantity, unit_amount from units union all select quantity, unit_amount from fees) x
  ), taxes as (
    select 6 as rank, 'tax' as kind, 'tax' as label, 1 as quantity,
        round(net.amount * e.tax_basis_points / 10000.0)::bigint as unit_amount
      from events e, net where e.event_id = p_event and e.tax_basis_points > 0
  )
  select x.rank, x.kind, x.seat_id, x.zone_id, x.addon_id, x.variant, x.label, x.quantity,
      x.unit_amount, x.quantity * x.unit_amount
    from (
      select * from units
      union all
      select rank, kind, null, null, null, null, label, quantity, unit_amount from fees
      union all
      select rank, kind, null, null, null, null, label, quantity, unit_amount from taxes
    ) x
$$;

-- A cancelled order gives its seats back at once. An attempt that may still charge is in the way:
-- the caller fences it at the provider first and comes again.
-- Answers {verdict, attempt?, ref?, state?, freed?}: cancelled | already | in_flight |
-- not_cancellable | not_found.
create or replace function cancel_order(p_order text) returns jsonb language plpgsql as $$
declare
  o orders;
  a payment_attempts;
  v_freed jsonb;
begin
  select * into o from orders where id = p_order for update;
  if not found then
    return jsonb_build_object('verdict', 'not_found');
  end if;
  if o.state = 'cancelled' then
    return jsonb_build_object('verdict', 'already');
  end if;
  select * into a from payment_attempts
    where order_id = p_order and state in ('sent', 'unknown', 'succeeded')
      and settled is distinct from 'refund'
    order by (state = 'succeeded') desc limit 1;
  if o.state <> 'pending' or a.state = 'succeeded' then
    return jsonb_build_object('verdict', 'not_cancellable', 'state', o.state);
  end if;
  if a.id is not null then
    return jsonb_build_object('verdict', 'in_flight', 'attempt', a.id, 'ref', a.provider_ref,
      'state', a.state);
  end if;
  -- Written down, never sent: begin_attempt finds it ended and sends nothing.
  update payment_attempts
    set state = 'failed', reason = 'cancelled', ended_at = sale_clock(),
      updated_at = sale_clock()
    where order_id = p_order and state = 'created';
  update orders
    set state = 'cancelled', ended_at = sale_clock(), updated_at = sale_clock()
    where id = p_order;
  insert into outbox (id, event_id, order_id, kind, payload)
    values ('out_' || gen_random_uuid(), o.event_id, o.id, 'order.cancelled',
      jsonb_build_object('order', o.id, 'hold', o.hold_id));
  v_freed := release_lines(o.event_id, o.hold_id) -> 'freed';
  return jsonb_build_object('verdict', 'cancelled', 'event', o.event_id, 'freed', v_freed);
end
$$;

-- Pending orders whose hold has ended and which no payment can reach any more, except late.
create or replace function expire_orders(p_limit integer) returns integer language plpgsql as $$
declare
  v_count integer;
begin
  with due as (
    select o.id from orders o
      join holds h on h.event_id = o.event_id and h.id = o.hold_id
      where o.state = 'pending'
        and (h.state <> 'live' or (h.expires_at <= sale_clock()
          and coalesce(h.paying_until, '-infinity') <= sale_clock()))
        and not exists (select 1 from payment_attempts a
          where a.order_id = o.id and (a.state in ('created', 'sent', 'unknown')
            or (a.state = 'succeeded' and a.settled is null)))
      order by o.created_at limit p_limit for update of o skip locked
  ), ended as (
    update orders o
      set state = 'expired', ended_at = sale_clock(), updated_at = sale_clock()
      from due where o.id = due.id and o.state = 'pending'
      returning o.id, o.event_id, o.hold_id, o.place, o.admission_jti
  ), closed as (
    -- Whoever let the time run out has given up: the slot, which paying had lengthened, goes to the next.
    update admissions a set closed_at = sale_clock()
      from ended where a.event_id = ended.event_id and a.place = ended.place and a.closed_at is null
      returning 1
  ), told as (
    insert into outbox (id, event_id, order_id, kind, payload)
      select 'out_' || gen_random_uuid(), event_id, id, 'order.expired',
        jsonb_build_object('order', id, 'hold', hold_id, 'event', event_id, 'place', place,
          'jti', admission_jti)
      from ended returning 1
  )
  select count(*) into v_count from told;
  return v_count;
end
$$;
