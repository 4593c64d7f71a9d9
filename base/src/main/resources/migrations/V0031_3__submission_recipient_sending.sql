-- What a node is sending is found by the node when it dies.
set lock_timeout = 0;
create index concurrently if not exists submission_recipient_sending on submission_recipient (claimed_by, organization_id)
    where state = 'sending' and due_at is not null;
reset lock_timeout;
