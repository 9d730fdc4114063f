-- A price may bear a fee of its own in the place of the event's.
alter table zones add column fee bigint check (fee >= 0);
