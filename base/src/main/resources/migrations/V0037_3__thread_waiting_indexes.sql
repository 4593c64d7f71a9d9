-- Lists of threads in which one side waits, in the order of lists and by how long it waits.
insert into due_work (organization_id, kind, due_at)
    select k.organization_id, 'waiting', k.last_at from organization_clock k
    on conflict do nothing;
set lock_timeout = 0;
create index concurrently if not exists thread_inbox_waiting
    on thread (organization_id, inbox_id, waiting, at) where waiting_since is not null;
create index concurrently if not exists thread_inbox_waiting_since
    on thread (organization_id, inbox_id, waiting, waiting_since) where waiting_since is not null;
create index concurrently if not exists thread_pod_waiting
    on thread (organization_id, pod_id, waiting, at) where waiting_since is not null;
create index concurrently if not exists thread_pod_waiting_since
    on thread (organization_id, pod_id, waiting, waiting_since) where waiting_since is not null;
create index concurrently if not exists thread_waiting
    on thread (organization_id, waiting, at) where waiting_since is not null;
create index concurrently if not exists thread_waiting_since
    on thread (organization_id, waiting, waiting_since) where waiting_since is not null;
reset lock_timeout;
