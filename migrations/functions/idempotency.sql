-- The lease and the recorded reply of one Idempotency-Key in one scope. A crash wedges nothing: a
-- lease runs out, and whoever takes it over is told so.
--
-- Answers {verdict, status?, contentType?, body?}: new | taken_over | in_flight | reused | done.
create or replace function idempotency_begin(
  p_scope text, p_key text, p_hash text, p_owner text, p_lease_ms integer
) returns jsonb language plpgsql as $$
declare
  k idempotency_keys;
begin
  insert into idempotency_keys (scope, key, request_hash, lease_owner, lease_until)
    values (p_scope, p_key, p_hash, p_owner,
      sale_clock() + make_interval(secs => p_lease_ms / 1000.0))
    on conflict (scope, key) do nothing;
  if found then
    return jsonb_build_object('verdict', 'new');
  end if;
  select * into k from idempotency_keys where scope = p_scope and key = p_key for update;
  if not found then
    return jsonb_build_object('verdict', 'in_flight');
  end if;
  if k.request_hash <> p_hash then
    return jsonb_build_object('verdict', 'reused');
  end if;
  if k.state = 'done' then
    return jsonb_build_object('verdict', 'done', 'status', k.status,
      'contentType', k.content_type, 'body', k.body);
  end if;
  if k.lease_until > sale_clock() then
    return jsonb_build_object('verdict', 'in_flight');
  end if;
  update idempotency_keys
    set lease_owner = p_owner,
      lease_until = sale_clock() + make_interval(secs => p_lease_ms / 1000.0)
    where scope = p_scope and key = p_key;
  return jsonb_build_object('verdict', 'taken_over');
end
$$;

-- Only the owner of the lease records, and only once.
create or replace function idempotency_record(
  p_scope text, p_key text, p_owner text, p_status integer, p_content_type text, p_body text
) returns boolean language sql as $$
  with done as (
    update idempotency_keys
      set state = 'done', status = p_status, content_type = p_content_type, body = p_body,
        lease_owner = null, lease_until = null
      where scope = p_scope and key = p_key and lease_owner = p_owner and state = 'in_flight'
      returning 1)
  select exists (select 1 from done)
$$;

-- The request changed nothing and may be made again under the same key.
create or replace function idempotency_forget(p_scope text, p_key text, p_owner text)
returns void language sql as $$
  delete from idempotency_keys
    where scope = p_scope and key = p_key and lease_owner = p_owner and state = 'in_flight'
$$;
