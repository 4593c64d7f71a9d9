-- The jobs that a node is at are found by the node when it dies.
set lock_timeout = 0;
create index concurrently if not exists job_claimed on job (claimed_by, organization_id) where claimed_by is not null;
reset lock_timeout;
