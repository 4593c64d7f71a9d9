-- Only for the removal of old rows. redelivery_at, which is of blocks of pages, finds nothing any more once rows of
-- today lie where removed ones were (docs/decisions/0079-events-age.md).
set lock_timeout = 0;
create index concurrently if not exists redelivery_time on redelivery (at);
reset lock_timeout;
