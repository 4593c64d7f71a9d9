-- Each former secret of a webhook signs for a day of its own: what was replaced, until when, and by which
-- Idempotency-Key, sealed. former_secret and former_until go on to have the last of them.
alter table webhook add column former_secrets bytea;
