-- What a node has claimed is found by the node when it dies, however many organizations have other work.
set lock_timeout = 0;
create index concurrently if not exists delivery_claimed on delivery (claimed_by, organization_id) where claimed_by is not null;
reset lock_timeout;
