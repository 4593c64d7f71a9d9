-- The drafts that a node is sending are found by the node when it dies.
set lock_timeout = 0;
create index concurrently if not exists draft_claimed on draft (node_id, organization_id)
    where claimed_by is not null and due_at is not null;
reset lock_timeout;
