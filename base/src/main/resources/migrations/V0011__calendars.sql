-- Calendars of inboxes. Wall times are texts in the content of an event; the instants beside it are computed from them
-- with the zones of this program, to find events by.

-- An inbox's calendar. It has a row once anything was set or an event made; without one it is empty, in UTC.
create table calendar (
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    pod_id          uuid        not null,
    timezone        text        not null,
    revision        bigint      not null,             -- of the settings
    events          integer     not null,             -- singles and series
    updated_at      timestamptz,                      -- of the settings; null: as old as the inbox
    primary key (organization_id, inbox_id)
);
select place('calendar', 'organization_id', 'organization');

-- A single event or a series.
create table calendar_event (
    organization_id   uuid        not null,
    event_id          uuid        not null,
    pod_id            uuid        not null,
    inbox_id          uuid        not null,
    uid               text        not null,
    source            text        not null,           -- api, email
    organizer_email   text        not null,
    origin_message_id text,                           -- email: the message that last made or changed it
    content           jsonb       not null,           -- words, times, recurrence, attendees
    invited           text[]      not null,           -- whom an invitation was sent to
    invited_sequence  integer,                        -- the sequence of the last one; null: none was sent
    dtstamp           timestamptz,                    -- email: of the last change that was taken in
    sequence          integer     not null,
    revision          bigint      not null,
    counter           bigint      not null,           -- changes of single dates
    operation         text        not null,           -- the event of the last change
    eras              integer     not null,           -- rows in calendar_era
    first_at          timestamptz not null,           -- the first start of all its dates
    last_at           timestamptz,                    -- the last end; null: it goes on
    span              smallint    not null,           -- a class of the time between the two, see EventSpan
    next_boundary_at  timestamptz,                    -- the earliest start or end that was not raised; null: none
    zone_version      text        not null,           -- of the rules by which the three were computed
    created_at        timestamptz not null,
    updated_at        timestamptz not null,
    primary key (organization_id, event_id)
);
create unique index calendar_event_uid on calendar_event (organization_id, inbox_id, uid);
create index calendar_event_updated on calendar_event (organization_id, inbox_id, updated_at);
create index calendar_event_window on calendar_event (organization_id, inbox_id, span, first_at, last_at);
create index calendar_event_boundary on calendar_event (next_boundary_at) where next_boundary_at is not null;
alter table calendar_event
    alter column content set statistics 0, alter column organizer_email set statistics 0,
    alter column origin_message_id set statistics 0, alter column invited set statistics 0;
select place('calendar_event', 'organization_id', 'organization');

-- An edit of a date of a series: of this one alone, or of it and those that follow.
create table calendar_override (
    organization_id uuid        not null,
    event_id        uuid        not null,
    slot            text        not null,
    future          boolean     not null,
    pod_id          uuid        not null,
    inbox_id        uuid        not null,
    fields          jsonb       not null,             -- what differs; null in it clears
    kept            boolean     not null,             -- it ran as it is here, whatever the rule makes
    sequence        integer,                          -- once it was sent or taken in by itself
    dtstamp         timestamptz,                      -- email: of the last change that was taken in
    operation       text        not null,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    primary key (organization_id, event_id, slot, future)
);
create index calendar_override_updated on calendar_override (organization_id, inbox_id, updated_at) where not future;
alter table calendar_override alter column fields set statistics 0;
select place('calendar_override', 'organization_id', 'organization');

-- What a series was while some of its dates began: they read like this whatever it becomes.
create table calendar_era (
    organization_id uuid        not null,
    event_id        uuid        not null,
    until           timestamptz not null,             -- the first start that is not in it
    pod_id          uuid        not null,
    inbox_id        uuid        not null,
    content         jsonb       not null,
    primary key (organization_id, event_id, until)
);
alter table calendar_era alter column content set statistics 0;
select place('calendar_era', 'organization_id', 'organization');

-- A start or end that was raised: never again.
create table calendar_boundary (
    organization_id uuid        not null,
    event_id        uuid        not null,
    slot            text        not null,             -- empty: of a single event
    which           text        not null,             -- starting, ending
    pod_id          uuid        not null,
    inbox_id        uuid        not null,
    ends_at         timestamptz not null,             -- of the date; the row goes some time later
    primary key (organization_id, event_id, slot, which)
);
create index calendar_boundary_ends on calendar_boundary (ends_at);
select place('calendar_boundary', 'organization_id', 'organization');

-- Answers of deletions, for repetitions with the same Idempotency-Key.
create table calendar_deletion (
    organization_id uuid        not null,
    key             text        not null,
    pod_id          uuid        not null,
    inbox_id        uuid        not null,
    event_id        text        not null,             -- as in the path
    deletion_id     text        not null,
    at              timestamptz not null,
    primary key (organization_id, key)
);
select place('calendar_deletion', 'organization_id', 'organization');

-- The client_id of an event, also after the event is deleted: the same request never makes a second one.
create table calendar_client_id (
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    client_id       text        not null,
    pod_id          uuid        not null,
    event_id        uuid        not null,
    body_hash       bytea       not null,
    operation       text        not null,
    primary key (organization_id, inbox_id, client_id)
);
select place('calendar_client_id', 'organization_id', 'organization');
