-- Who erases or exports an account is looked for by its address, as a holder and as a recipient.
create index tickets_by_holder on tickets (lower(holder_email)) where holder_email is not null;
create index mails_by_recipient on mails (lower(recipient)) where recipient is not null;
