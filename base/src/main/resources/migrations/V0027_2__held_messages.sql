-- Held mail, which copies are compared with; there is little of it.
set lock_timeout = 0;
create index concurrently if not exists message_held on message (organization_id, created_at) where restricted & 16 <> 0;
reset lock_timeout;
