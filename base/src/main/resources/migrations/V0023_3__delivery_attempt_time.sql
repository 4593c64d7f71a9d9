-- As redelivery_time.
set lock_timeout = 0;
create index concurrently if not exists delivery_attempt_time on delivery_attempt (at);
reset lock_timeout;
