-- What a pause dropped: who wrote and when, never what; and how many of each day, which goes on when the list is full.
create table dropped_message (
    organization_id uuid not null,
    inbox_id uuid not null,
    dropped_id uuid not null,
    sender text,
    dropped_at timestamptz not null,
    primary key (organization_id, inbox_id, dropped_id)
);
alter table dropped_message alter column sender set statistics 0; -- no figures of the planner of what mail says
select place('dropped_message', 'organization_id', 'organization');
create index dropped_message_time on dropped_message (dropped_at);

create table dropped_count (
    organization_id uuid not null,
    inbox_id uuid not null,
    day date not null,
    messages bigint not null,
    listed integer not null,
    primary key (organization_id, inbox_id, day)
);
select place('dropped_count', 'organization_id', 'organization');
