-- Threads of an organization in which one side waits, by how long it waits.
set lock_timeout = 0;
create index concurrently if not exists thread_waiting_since
    on thread (organization_id, waiting, waiting_since) where waiting_since is not null;
reset lock_timeout;
