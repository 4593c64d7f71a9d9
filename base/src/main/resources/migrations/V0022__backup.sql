-- The backup that runs, if any. Until its time is over no blob is deleted, so that every blob is there that a row of the
-- backup's snapshot names; the sweep deletes later what was left. A backup moves the time on while it lives.
alter table installation add column backup_id    uuid;
alter table installation add column backup_until timestamptz;
