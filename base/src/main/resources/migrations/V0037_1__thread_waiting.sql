-- Who waits for whom in a thread, of its clean messages that count (docs/api/mail.md §7).
alter table thread add column waiting smallint; -- 0 nobody, 1 the inbox, 2 the others, 3 nobody as it is settled; null: not counted
alter table thread add column waiting_since timestamptz; -- not null exactly when somebody waits
