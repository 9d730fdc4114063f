-- Codes read at a door, one or a batch; the caller has verified the signatures.
--   p_scans  [{id, ticket?, issue?, at?, gate}]; without `ticket` the signature was not ours
-- The earliest scan of a ticket is the one that admitted. A batch of a gate that was offline may
-- bring an earlier one than is on record: then both people are inside, the record moves to the
-- earlier, and the answer names the other. Answers, in the order of p_scans:
--   [{id, result, ticket?, seat?, zone?, holder?, first?: {at, gate}, other?: {at, gate}}]
-- Tickets are locked in the order of their ids.
create or replace function check_in(p_event text, p_scans jsonb, p_actor text) returns jsonb
language plpgsql volatile as $$
declare
  -- A door's clock may run ahead of ours by this much; beyond it ours counts.
  c_ahead constant interval := interval '2 minutes';
  v_scan record;
  v_answers jsonb := '{}';
begin
  perform 1 from tickets t
  where t.event_id = p_event
    and t.id in (select s ->> 'ticket' from jsonb_array_elements(p_scans) s)
  order by t.id for update;

  for v_scan in
    select s ->> 'id' as id, s ->> 'ticket' as ticket, (s ->> 'issue')::integer as issue,
      case when (s ->> 'at')::timestamptz <= clock_timestamp() + c_ahead
        then (s ->> 'at')::timestamptz else clock_timestamp() end as at,
      s ->> 'gate' as gate
    from jsonb_array_elements(p_scans) s
    order by 4, 1
  loop
    v_answers := v_answers || jsonb_build_object(v_scan.id, check_in_one(p_event, v_scan.id,
      v_scan.ticket, v_scan.issue, v_scan.at, v_scan.gate, p_actor));
  end loop;
  return (select jsonb_agg(v_answers -> (s ->> 'id') order by n)
    from jsonb_array_elements(p_scans) with ordinality x (s, n));
end
$$;

create or replace function check_in_one(
  p_event text, p_id text, p_ticket text, p_issue integer, p_at timestamptz, p_gate text,
  p_actor text
) returns jsonb language plpgsql volatile as $$
declare
  t tickets;
  v_known ticket_scans;
  v_result text;
  v_other jsonb;
begin
  select * into t from tickets where event_id = p_event and id = p_ticket;
  select * into v_known from ticket_scans where event_id = p_event and id = p_id;
  if found then
    -- The id of another scan says nothing about this ticket, and least of all that it may come in.
    if v_known.ticket_id is distinct from t.id then
      return scan_answer(null, p_id, 'invalid', p_at, p_gate, null);
    end if;
    return scan_answer(t, p_id, v_known.result, v_known.at, v_known.gate, null);
  end if;
  if p_ticket is null then
    v_result := 'invalid';
  elsif t.id is null then
    v_result := 'unknown';
  elsif t.state = 'void' then
    v_result := 'void';
  elsif p_issue < t.issue then
    v_result := 'superseded';
  elsif t.state = 'used' and t.used_at <= p_at then
    v_result := 'already';
  else
    v_result := 'admitted';
    if t.state = 'used' then
      v_other := jsonb_build_object('at', iso_time(t.used_at), 'gate', t.used_by);
    end if;
    update tickets set state = 'used', used_at = p_at, used_by = p_gate
      where id = t.id returning * into t;
  end if;
  insert into ticket_scans (event_id, id, ticket_id, result, at, gate, actor)
    values (p_event, p_id, t.id, v_result, p_at, p_gate, p_actor)
    -- A code that is nobody's ticket has no lock: its batch may be here twice at once.
    on conflict (event_id, id) do nothing;
  return scan_answer(t, p_id, v_result, p_at, p_gate, v_other);
end
$$;

create or replace function scan_answer(
  t tickets, p_id text, p_result text, p_at timestamptz, p_gate text, p_other jsonb
) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object('id', p_id, 'result', p_result, 'ticket', t.id,
    'seat', t.seat_id, 'zone', t.zone_id, 'holder', t.holder_name,
    'first', case when p_result = 'already'
      then jsonb_build_object('at', iso_time(t.used_at), 'gate', t.used_by) end,
    'other', p_other))
$$;

-- Hands a ticket to another person: a new issue, so every earlier code is worthless from now on.
-- `p_issue` is the issue that the giver holds; of two who hand it on at once, one does.
-- Answers {verdict, issue?}: transferred | not_found | not_transferable.
create or replace function transfer_ticket(
  p_ticket text, p_issue integer, p_name text, p_email text, p_locale text
) returns jsonb language plpgsql volatile as $$
declare
  c_issues_max constant integer := 50;
  t tickets;
begin
  update tickets
    set issue = issue + 1, code = null, holder_name = p_name, holder_email = p_email,
      holder_locale = p_locale, transferred_at = clock_timestamp()
    where id = p_ticket and issue = p_issue and state = 'valid' and issue < c_issues_max
    returning * into t;
  if not found then
    return jsonb_build_object('verdict',
      case when exists (select 1 from tickets where id = p_ticket)
        then 'not_transferable' else 'not_found' end);
  end if;
  insert into outbox (id, event_id, order_id, kind, payload)
    values ('out_' || gen_random_uuid(), t.event_id, t.order_id, 'ticket.transferred',
      jsonb_build_object('ticket', t.id, 'issue', t.issue));
  return jsonb_build_object('verdict', 'transferred', 'issue', t.issue);
end
$$;
