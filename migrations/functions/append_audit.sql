-- One more entry of the audit log, hashed with the one before it. Its lock orders all entries, so a
-- function calls it last.
create or replace function append_audit(
  p_actor text, p_action text, p_event text, p_target text, p_details jsonb, p_request_id text
) returns void
language plpgsql volatile as $$
declare
  v_prev bytea;
  v_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('audit_log'), 0);
  select a.hash into v_prev from audit_log a order by a.seq desc limit 1;
  v_at := clock_timestamp();
  insert into audit_log (at, actor, action, event_id, target, details, request_id, prev_hash, hash)
  values (v_at, p_actor, p_action, p_event, p_target, p_details, p_request_id, v_prev,
    audit_hash(v_prev, v_at, p_actor, p_action, p_event, p_target, p_details, p_request_id));
end
$$;

-- What the chain is made of, so that a reader can recompute it.
create or replace function audit_hash(
  p_prev bytea, p_at timestamptz, p_actor text, p_action text, p_event text, p_target text,
  p_details jsonb, p_request_id text
) returns bytea
language sql stable as $$
  select sha256(coalesce(p_prev, '') || convert_to(jsonb_build_array(
    extract(epoch from p_at), p_actor, p_action, p_event, p_target, p_details, p_request_id)::text,
    'UTF8'))
$$;
