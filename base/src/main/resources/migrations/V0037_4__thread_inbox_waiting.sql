-- Threads of an inbox in which one side waits, in the order of lists.
set lock_timeout = 0;
create index concurrently if not exists thread_inbox_waiting
    on thread (organization_id, inbox_id, waiting, at) where waiting_since is not null;
reset lock_timeout;
