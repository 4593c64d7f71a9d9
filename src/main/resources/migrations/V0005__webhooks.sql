-- Webhooks: who delivers, what every attempt came to, rotation of secrets, catching up, and polling.

-- A process, as long as it shows that it lives. What it holds is taken over when it no longer does.
create table node (
    node_id         uuid        primary key,
    seen_at         timestamptz not null
);
select place('node', 'node_id', 'none');

alter table webhook alter column url drop not null;                -- null: a polling webhook, which is not called
alter table webhook add column polling boolean not null default false;
alter table webhook add column former_secret bytea;                -- sealed; signs beside the new one
alter table webhook add column former_until timestamptz;           -- until then
alter table webhook add column disabled_at timestamptz;            -- the last time; what waited then is called off
alter table webhook add column token_hash bytea;                   -- polling: SHA-256 of the token that reads it
alter table webhook add column last_position bigint not null default 0; -- polling: the last number given out

-- A client_id is unique for each kind of thing.
drop index webhook_client;
create unique index webhook_client on webhook (organization_id, polling, client_id);

alter table delivery add column claimed_by uuid;                   -- the node that attempts it, or is about to
alter table delivery add column position bigint;                   -- polling: its number in the queue

-- What waits in the queue of a polling webhook has no due time and was not given up.
create index delivery_queued on delivery (organization_id, webhook_id, seq)
    where due_at is null and failed_at is null and position is null;
create unique index delivery_position on delivery (organization_id, webhook_id, position) where position is not null;

-- What every attempt came to, for the owner of the webhook to look at.
create table delivery_attempt (
    organization_id uuid        not null,
    webhook_id      text        not null,
    seq             bigint      not null,             -- the event's number
    at              timestamptz not null,
    attempt         integer     not null,             -- counted from 1
    status          integer,                          -- of the answer; null when there was none
    error           text,                             -- why it was a failure, in a few words
    millis          integer     not null,
    answer          text,                             -- the first bytes of it
    primary key (organization_id, webhook_id, seq, at)
);
create index delivery_attempt_at on delivery_attempt using brin (at); -- for the sweep alone: rows come in the order of time
select place('delivery_attempt', 'organization_id', 'organization');

-- Who reads a polling webhook, and how far each has come.
create table polling_consumer (
    organization_id uuid        not null,
    webhook_id      text        not null,
    consumer_id     text        not null,
    committed       bigint      not null,             -- the last position it is done with
    issued          bigint      not null,             -- the last position it was given
    leased_until    timestamptz,                      -- not null: what it was given is being worked on
    used_at         timestamptz not null,
    primary key (organization_id, webhook_id, consumer_id)
);
select place('polling_consumer', 'organization_id', 'organization');

-- Metrics. What an event adds to the usage of its inbox, and takes from it when it tells of a deletion.
alter table event add column messages integer;
alter table event add column bytes bigint;
alter table event add column threads integer;

-- Running totals of everything that is counted, as they were at the end of each minute in which something changed. A
-- value of any time is one probe of the key, however long the history is.
create table metric_total (
    organization_id uuid        not null,
    scope_id        uuid        not null,             -- an inbox, a pod, or the organization
    minute          timestamptz not null,             -- where it begins
    totals          bigint[]    not null,             -- by the position of the kind
    primary key (organization_id, scope_id, minute)
);
select place('metric_total', 'organization_id', 'organization');

-- How far the totals of an organization have come, as a number of its clock.
create table metric_progress (
    organization_id uuid        primary key,
    seq             bigint      not null
);
select place('metric_progress', 'organization_id', 'organization');

-- Inboxes, pods and domains that are no more, as long as metrics can ask for a time at which they were.
create table departure (
    organization_id uuid        not null,
    seq             bigint      not null,
    kind            text        not null,             -- inbox, pod, domain
    thing_id        text        not null,
    pod_id          uuid,
    made_at         timestamptz not null,
    at              timestamptz not null,
    messages        bigint,                           -- an inbox: what went with it, once that is added up
    bytes           bigint,
    threads         bigint,
    primary key (organization_id, seq, kind, thing_id)
);
select place('departure', 'organization_id', 'organization');
