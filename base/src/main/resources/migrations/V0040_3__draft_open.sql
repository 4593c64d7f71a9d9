-- Drafts that are as good as answers: they wait for approval, or are being sent.
set lock_timeout = 0;
create index concurrently if not exists draft_open
    on draft (organization_id, inbox_id) where send_status in ('awaiting_approval', 'sending');
reset lock_timeout;
