-- Drafts whose schedule an answer ends.
set lock_timeout = 0;
create index concurrently if not exists draft_cancel
    on draft (organization_id, inbox_id) where cancel_on_reply and send_status = 'scheduled';
reset lock_timeout;
