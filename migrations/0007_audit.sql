-- The audit log only grows: what was done cannot be unsaid, by whatever statement of ours. (The hash
-- chain shows what somebody with the right to drop this trigger has done.)
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log only grows';
end
$$;
create trigger audit_log_only_grows before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
