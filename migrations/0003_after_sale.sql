-- Who is sending a mail just now: nobody else begins it meanwhile.
alter table mails add column lease_until timestamptz;
