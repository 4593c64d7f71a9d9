-- The service's own mail, for its removal.
set lock_timeout = 0;
create index concurrently if not exists submission_letter on submission (created_at) where message_id is null;
reset lock_timeout;
