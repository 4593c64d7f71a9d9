-- Messages deleted since a run was written are still in it; it is written anew within a day (promise P19).
alter table search_run add column deleted integer not null default 0;
alter table search_run add column stale_at timestamptz;
create index search_run_stale on search_run (stale_at) where stale_at is not null;
