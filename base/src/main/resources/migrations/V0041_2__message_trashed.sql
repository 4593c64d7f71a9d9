-- What goes from the trash of an organization, the oldest first.
set lock_timeout = 0;
create index concurrently if not exists message_trashed on message (organization_id, trashed_at) where trashed_at is not null;
reset lock_timeout;
