-- The signed code of a ticket, kept once made: ECDSA signs differently each time, and a ticket
-- printed yesterday must look like the one on the phone today. A new issue gets a new code.
alter table tickets add column code text;
