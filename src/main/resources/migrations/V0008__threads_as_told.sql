-- The thread of a message as its arrival left it, so that every attempt of a webhook says the same of it, whoever makes
-- it (docs/decisions/0029-the-same-bytes.md). Only of messages that joined a thread, and only where a webhook listens;
-- kept as long as attempts are. The first columns are those of a thread.
create table event_thread (
    organization_id uuid        not null,
    seq             bigint      not null,             -- the number of the arrival's event
    thread_id       uuid        not null,
    inbox_id        uuid        not null,
    pod_id          uuid        not null,
    labels          text[]      not null,
    restricted      integer     not null,
    senders         text[]      not null,
    recipients      text[]      not null,
    subject         text,
    preview         text,
    last_message    text        not null,
    message_count   integer     not null,
    size            bigint      not null,
    attachments     integer     not null,
    at              timestamptz not null,
    received_at     timestamptz,
    sent_at         timestamptz,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    attachment_ids  uuid[],                           -- those of its messages then, oldest first; null when none
    remembered_at   timestamptz not null,
    primary key (organization_id, seq)
);
create index event_thread_remembered on event_thread using brin (remembered_at); -- for the sweep alone
select place('event_thread', 'organization_id', 'organization');
