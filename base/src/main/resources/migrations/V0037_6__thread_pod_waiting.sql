-- Threads of a pod in which one side waits, in the order of lists.
set lock_timeout = 0;
create index concurrently if not exists thread_pod_waiting
    on thread (organization_id, pod_id, waiting, at) where waiting_since is not null;
reset lock_timeout;
