-- What waits in the queues of polling webhooks, for the removal of what is old; no delivery of another webhook is in it.
set lock_timeout = 0;
create index concurrently if not exists delivery_polled on delivery (created_at) where due_at is null and failed_at is null;
reset lock_timeout;
