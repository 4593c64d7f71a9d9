-- Since when webhooks, polling links and feeds wait, too, of an organization whose mail is stopped; null: they go on.
alter table organization add column everything_stopped_at timestamptz;
