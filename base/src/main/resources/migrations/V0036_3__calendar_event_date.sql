-- One event for each UID and date, in place of one for each UID.
set lock_timeout = 0;
create unique index concurrently if not exists calendar_event_date
    on calendar_event (organization_id, inbox_id, uid, recurrence_id);
drop index concurrently if exists calendar_event_uid;
reset lock_timeout;
