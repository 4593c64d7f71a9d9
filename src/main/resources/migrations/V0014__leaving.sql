-- Mail on its way out: what waits for nobody else's server, and what was not the other side's doing.
alter table submission_recipient
    add column local boolean not null default false,               -- an inbox of this server when it was queued
    add column held  integer not null default 0;                   -- attempts that never got as far as another server
create index submission_recipient_local on submission_recipient (organization_id, due_at)
    where local and due_at is not null;
