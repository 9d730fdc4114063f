-- The organizer takes seats off sale, or puts them back. All or nothing: `{result: "done", seats}`, or
-- unknown_seat {unknown}, or seats_unavailable {unavailable} naming those that are not in the state
-- it needs (available to block, blocked to unblock). Repeating it changes nothing.
create or replace function block_seats(
  p_event text, p_seats text[], p_block boolean, p_actor text, p_reason text, p_request_id text
) returns jsonb
language plpgsql volatile as $$
declare
  v_from text := case when p_block then 'available' else 'blocked' end;
  v_to text := case when p_block then 'blocked' else 'available' end;
  v_wrong text[];
  v_changed text[];
  v_due record;
begin
  v_wrong := array(select w from unnest(p_seats) w
    where not exists (select 1 from seats s where s.event_id = p_event and s.seat_id = w));
  if cardinality(v_wrong) > 0 then
    return jsonb_build_object('result', 'unknown_seat', 'unknown', to_jsonb(v_wrong));
  end if;
  perform lock_inventory(p_event, '{}', p_seats);
  select * into v_due from expire_rows_of(p_event, p_seats);
  v_wrong := array(select s.seat_id from seats s
    where s.event_id = p_event and s.seat_id = any (p_seats) and s.status not in (v_from, v_to)
    order by s.seat_id);
  if cardinality(v_wrong) = 0 then
    with changed as (
      update seats s set status = v_to, version = s.version + 1, updated_at = sale_clock()
      where s.event_id = p_event and s.seat_id = any (p_seats) and s.status = v_from
      returning s.seat_id
    )
    select array(select seat_id from changed) into v_changed;
    perform refresh_rows(p_event, v_changed);
  end if;
  perform move_counters(p_event, v_due.o_accounts, negated(v_due.o_units), zeros(v_due.o_units));
  if cardinality(v_wrong) > 0 then
    return jsonb_build_object('result', 'seats_unavailable', 'unavailable', to_jsonb(v_wrong));
  end if;
  perform append_audit(p_actor, case when p_block then 'seats.block' else 'seats.unblock' end,
    p_event, null, jsonb_build_object('seats', to_jsonb(v_changed), 'reason', p_reason), p_request_id);
  return jsonb_build_object('result', 'done', 'seats', to_jsonb(v_changed));
end
$$;

-- Expires what is due in the rows of these seats; the caller holds the row records.
create or replace function expire_rows_of(
  p_event text, p_seats text[], out o_accounts text[], out o_units integer[], out o_seats text[]
)
language plpgsql volatile as $$
declare
  v_sections text[];
  v_rows text[];
begin
  select coalesce(array_agg(k.section_id), '{}'), coalesce(array_agg(k.row_id), '{}')
  into v_sections, v_rows
  from (select distinct s.section_id, s.row_id from seats s
    where s.event_id = p_event and s.seat_id = any (p_seats)) k;
  select * into o_accounts, o_units, o_seats
  from expire_due(p_event, v_sections, v_rows, '{}', '{}');
end
$$;
