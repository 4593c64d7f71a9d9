-- As redelivery_time.
set lock_timeout = 0;
create index concurrently if not exists event_thread_time on event_thread (remembered_at);
reset lock_timeout;
