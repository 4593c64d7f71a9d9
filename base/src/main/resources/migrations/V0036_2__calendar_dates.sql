-- A date of a series that the inbox does not have is an event of its own: a UID has as many of them as were brought.
alter table calendar_event add column recurrence_id text not null default ''; -- empty: a single event or a series
alter table calendar_event add column answers_to text; -- email: where answers go, when it is not organizer_email
alter table calendar_event alter column answers_to set statistics 0; -- no figures of the planner of what mail says
alter table calendar_event add column sent_at timestamptz; -- DTSTAMP of the last mail of it; the next one is later

alter table calendar add column changed_at timestamptz; -- when an event was changed last; null: none was since

-- What became of the calendar of a message; null: it was not read yet.
alter table calendar_message add column outcome text;

-- The ids that dates had before their series came: they go on as those of its dates.
create table calendar_alias (
    organization_id uuid        not null,
    event_id        uuid        not null,
    pod_id          uuid        not null,
    inbox_id        uuid        not null,
    series_id       uuid        not null,
    slot            text        not null,
    primary key (organization_id, event_id)
);
create index calendar_alias_series on calendar_alias (organization_id, series_id);
select place('calendar_alias', 'organization_id', 'organization');

-- Cancellations that came before what they cancel.
create table calendar_cancel (
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    uid             text        not null,
    recurrence_id   text        not null,             -- empty: of the whole event
    pod_id          uuid        not null,
    organizer       text        not null,             -- whose word it is
    sequence        integer     not null,
    dtstamp         timestamptz not null,
    created_at      timestamptz not null,
    primary key (organization_id, inbox_id, uid, recurrence_id, organizer)
);
create index calendar_cancel_created on calendar_cancel (created_at);
create index calendar_cancel_inbox on calendar_cancel (organization_id, inbox_id, created_at);
select place('calendar_cancel', 'organization_id', 'organization');
