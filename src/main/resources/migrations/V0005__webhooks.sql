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
