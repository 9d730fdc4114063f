-- The key of a phone at a door: it reads codes and fetches the void list, and can do nothing else.
alter table organizer_keys drop constraint organizer_keys_role_check;
alter table organizer_keys add constraint organizer_keys_role_check
  check (role in ('owner', 'operator', 'viewer', 'scanner'));
