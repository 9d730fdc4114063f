-- Adds one line to the audit log, chained to the line before: hash = SHA-256(previous hash ‖ line),
-- so that a line taken out or changed later shows. Called inside the function or statement that does
-- the thing, so there is no act without its line. The lock makes the chain one chain; it is taken
-- last of all and held to the end of the statement.
create or replace function append_audit(
  p_actor text, p_action text, p_event text, p_target text, p_details jsonb, p_request text
)
returns bigint
language plpgsql as $$
declare
  v_at timestamptz;
  v_prev bytea;
  v_line text;
  v_seq bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('sira:audit_log', 0));
  v_at := clock_timestamp();
  select hash into v_prev from audit_log order by seq desc limit 1;
  v_line := jsonb_build_array(
    extract(epoch from v_at), p_actor, p_action, p_event, p_target, p_details, p_request
  )::text;
  insert into audit_log (at, actor, action, event_id, target, details, request_id, prev_hash, hash)
  values (
    v_at, p_actor, p_action, p_event, p_target, coalesce(p_details, '{}'), p_request, v_prev,
    sha256(coalesce(v_prev, '\x') || convert_to(v_line, 'UTF8'))
  )
  returning seq into v_seq;
  return v_seq;
end
$$;
