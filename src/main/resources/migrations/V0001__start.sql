-- The first schema. Every tenant table begins its primary key with organization_id and is placed right after it is made,
-- so that the same migrations serve one PostgreSQL and a distributed one (docs/architecture.md, "Growing").

create function expect_few(expecting regclass, few name, count integer) returns void
language plpgsql as $$
begin
    if exists (select 1 from pg_attribute where attrelid = expecting and attname = few) then
        execute format('alter table %s alter column %I set (n_distinct = %s)', expecting, few, count);
    end if;
end
$$;

create function place(placed regclass, distribution_column text, mate text default 'default') returns void
language plpgsql as $$
begin
    -- The planner takes organization and inbox for independent of each other and small, and would read all of an inbox
    -- where a name leads to one row. Told that there are few, it never does, whatever the tables hold when it plans.
    perform expect_few(placed, 'organization_id', 1);
    perform expect_few(placed, 'pod_id', 2);          -- fewer than inboxes, so that an inbox's index goes first
    perform expect_few(placed, 'inbox_id', 10);
    perform expect_few(placed, 'webhook_id', 10);
    if exists (select 1 from pg_extension where extname = 'citus') then
        execute format('select create_distributed_table(%L, %L, colocate_with => %L)',
                       placed::text, distribution_column, mate);
    end if;
end
$$;

-- Global look-ups: values that are unique across organizations. Each is distributed by that value.

create table address (
    address         text        primary key,          -- lower case
    organization_id uuid        not null,
    inbox_id        uuid,                             -- null: given up; only its organization may take it again
    changed_at      timestamptz not null
);
select place('address', 'address', 'none');

create table api_key_secret (
    hash            bytea       primary key,          -- SHA-256 of the key
    organization_id uuid        not null,
    api_key_id      uuid        not null
);
select place('api_key_secret', 'hash', 'none');

create table human (
    human_email     text        primary key,          -- lower case
    organization_id uuid        not null
);
select place('human', 'human_email', 'none');

create table signing_key (
    domain          text        primary key,
    selector        text        not null,
    private_key     bytea       not null,             -- sealed PKCS#8
    dns_record      text        not null,             -- what the domain publishes
    created_at      timestamptz not null
);
select place('signing_key', 'domain', 'none');

-- Organizations.

create table organization (
    organization_id uuid        primary key,
    type            text        not null,             -- console, agent_unverified, agent_verified, operator
    human_email     text,
    mail_since      timestamptz,                      -- no older mail is visible until verified (ruling 23)
    created_at      timestamptz not null,
    updated_at      timestamptz not null
);
select place('organization', 'organization_id');

-- One narrow row that every writing transaction locks first. No foreign key points here.
create table organization_clock (
    organization_id uuid        primary key,
    event_seq       bigint      not null,
    last_at         timestamptz not null
) with (fillfactor = 10);
select place('organization_clock', 'organization_id', 'organization');

create table one_time_code (
    organization_id uuid        primary key,
    code_mac        bytea       not null,
    expires_at      timestamptz not null,
    attempts        integer     not null
);
select place('one_time_code', 'organization_id', 'organization');

create table pod (
    organization_id uuid        not null,
    pod_id          uuid        not null,
    name            text        not null,
    is_default      boolean     not null,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    primary key (organization_id, pod_id)
);
select place('pod', 'organization_id', 'organization');

create table api_key (
    organization_id  uuid        not null,
    api_key_id       uuid        not null,
    pod_id           uuid,
    inbox_id         uuid,
    name             text        not null,
    prefix           text        not null,
    hash             bytea       not null,
    permissions      text[],                          -- null: unrestricted
    provider_connect boolean     not null,
    from_sign_up     boolean     not null,
    used_at          timestamptz,
    expires_at       timestamptz,
    created_at       timestamptz not null,
    updated_at       timestamptz not null,
    primary key (organization_id, api_key_id)
);
create index api_key_created on api_key (organization_id, created_at, api_key_id);
select place('api_key', 'organization_id', 'organization');

-- Inboxes and mail.

create table inbox (
    organization_id uuid        not null,
    inbox_id        uuid        not null,             -- inside only; outside, the address is the id
    pod_id          uuid        not null,
    address         text        not null,
    display_name    text,
    words           text        not null,             -- of address and display name, folded, for the search
    client_id       text,
    metadata        jsonb,
    status          text        not null,             -- active, paused
    deleting        boolean     not null default false,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    primary key (organization_id, inbox_id)
);
create unique index inbox_address on inbox (organization_id, address) where not deleting;
create unique index inbox_client on inbox (organization_id, client_id) where not deleting;
create index inbox_created on inbox (organization_id, created_at, inbox_id);
create index inbox_pod_created on inbox (organization_id, pod_id, created_at, inbox_id);
select place('inbox', 'organization_id', 'organization');

create table message (
    organization_id uuid        not null,
    message_id      uuid        not null,             -- inside only; outside, the name is the id
    inbox_id        uuid        not null,
    pod_id          uuid        not null,
    thread_id       uuid        not null,
    name            text        not null,             -- public Message-ID with its brackets, unique in the inbox
    labels          text[]      not null,
    restricted      integer     not null,             -- bits: 1 spam, 2 blocked, 4 unauthenticated, 8 trash
    outgoing        boolean     not null,             -- sent by this inbox
    sender          text        not null,
    recipients_to   text[]      not null,
    recipients_cc   text[],
    recipients_bcc  text[],
    subject         text,
    preview         text,
    size            bigint      not null,
    attachments     integer     not null,
    opened_at       timestamptz,                      -- when its pixel was loaded first
    created_at      timestamptz not null,             -- also the timestamp: unique and in commit order per organization
    updated_at      timestamptz not null,
    primary key (organization_id, message_id)
);
create unique index message_name on message (organization_id, inbox_id, name);
create index message_time on message (organization_id, inbox_id, created_at);
create index message_thread on message (organization_id, thread_id, created_at);
select place('message', 'organization_id', 'organization');

-- The bytes as they came or went. Small ones here, large ones in the blob store. What is shown (headers, text, html) is
-- read from the raw bytes; it is stored beside them only where that would not do: mail we composed, and large mail.
create table message_content (
    organization_id uuid        not null,
    message_id      uuid        not null,
    inbox_id        uuid        not null,
    raw             bytea,
    header_size     integer     not null,             -- of raw, so that lists read only the header
    blob            text,
    shown           bytea,                            -- deflated JSON: headers, text, html
    sha256          bytea       not null,
    primary key (organization_id, message_id),
    check ((raw is null) <> (blob is null))
);
alter table message_content alter column raw set storage external;
alter table message_content alter column shown set storage external;
create index message_content_blob on message_content (organization_id, blob) where blob is not null;
select place('message_content', 'organization_id', 'organization');

-- Stretches of large messages that lie in blobs of their own, which messages of an organization share.
create table message_piece (
    organization_id uuid        not null,
    message_id      uuid        not null,
    position        bigint      not null,             -- where it begins in the message
    length          bigint      not null,             -- its octets there: base64 in lines
    line            integer     not null,             -- the characters of a line
    size            bigint      not null,             -- its octets decoded, as the blob holds them
    blob            text        not null,
    sha256          bytea       not null,             -- of the decoded octets
    primary key (organization_id, message_id, position)
);
create index message_piece_blob on message_piece (organization_id, blob);
create index message_piece_digest on message_piece (organization_id, sha256);
select place('message_piece', 'organization_id', 'organization');

create table attachment (
    organization_id uuid        not null,
    attachment_id   uuid        not null,
    inbox_id        uuid        not null,
    message_id      uuid        not null,
    thread_id       uuid        not null,
    part            integer     not null,             -- which part of the raw message
    filename        text,
    media_type      text        not null,
    inline          boolean     not null,
    content_id      text,
    size            bigint      not null,
    text            bytea,                            -- what could be read in it: deflated UTF-8
    text_due_at     timestamptz,                      -- not null: its text is still to be read
    text_attempts   integer     not null default 0,
    primary key (organization_id, attachment_id)
);
alter table attachment alter column text set storage external;
create index attachment_text_due on attachment (text_due_at) where text_due_at is not null;
create index attachment_message on attachment (organization_id, message_id, part);
create index attachment_thread on attachment (organization_id, thread_id);
select place('attachment', 'organization_id', 'organization');

-- Aggregates over the clean messages of a thread, or over all of them when none is clean (contract: mail.md §10.4).
create table thread (
    organization_id uuid        not null,
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
    primary key (organization_id, thread_id)
) with (fillfactor = 90);
create index thread_inbox_time on thread (organization_id, inbox_id, at);
create index thread_pod_time on thread (organization_id, pod_id, at);
create index thread_time on thread (organization_id, at);
select place('thread', 'organization_id', 'organization');

-- Message-IDs that stored messages refer to, so that a conversation whose root was never seen stays together.
create table message_reference (
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    reference       bytea       not null,             -- first 16 bytes of the SHA-256 of the Message-ID
    thread_id       uuid        not null,
    primary key (organization_id, inbox_id, reference)
);
create index message_reference_thread on message_reference (organization_id, thread_id);
select place('message_reference', 'organization_id', 'organization');

-- What arrived, so that a sender that did not hear our 250 and repeats is answered without a second message.
create table redelivery (
    organization_id uuid        not null,
    digest          bytea       not null,
    at              timestamptz not null,
    primary key (organization_id, digest)
);
create index redelivery_at on redelivery using brin (at); -- for the sweep alone: rows come in the order of time
select place('redelivery', 'organization_id', 'organization');

-- The event log: one row per change. A row that adds or removes labels stands for one feed entry per label, whose
-- numbers follow its own.
create table event (
    organization_id uuid        not null,
    seq             bigint      not null,
    at              timestamptz not null,
    type            text        not null,
    pod_id          uuid,
    inbox_id        uuid,
    thread_id       uuid,
    message_id      uuid,
    message_name    text,
    labels          text[],
    restricted      integer     not null default 0,
    details         jsonb,
    primary key (organization_id, seq)
);
create index event_feed on event (organization_id, inbox_id, seq);
create index event_message on event (organization_id, message_id) where message_id is not null;
select place('event', 'organization_id', 'organization');

-- Webhooks.

create table webhook (
    organization_id uuid        not null,
    webhook_id      text        not null,
    pod_id          uuid,
    inbox_id        uuid,
    url             text        not null,
    secret          bytea       not null,             -- sealed
    headers         bytea,                            -- sealed JSON
    enabled         boolean     not null,
    event_types     text[]      not null,
    pod_ids         uuid[],
    inbox_ids       uuid[],
    client_id       text,
    failing_since   timestamptz,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    primary key (organization_id, webhook_id)
);
create unique index webhook_client on webhook (organization_id, client_id);
select place('webhook', 'organization_id', 'organization');

create table delivery (
    organization_id uuid        not null,
    seq             bigint      not null,
    webhook_id      text        not null,
    attempts        integer     not null default 0,
    due_at          timestamptz,                      -- null: given up; the row is removed when it succeeds
    payload         bytea,                            -- set at the first failure, so that every retry sends the same
    message_id      uuid,
    last_error      text,
    failed_at       timestamptz,                      -- given up then; kept three days
    created_at      timestamptz not null,
    primary key (organization_id, seq, webhook_id)
) with (fillfactor = 80);
create index delivery_failed on delivery (failed_at) where failed_at is not null;
create index delivery_webhook on delivery (organization_id, webhook_id, due_at);
select place('delivery', 'organization_id', 'organization');

-- Mail on its way out.

create table submission (
    organization_id uuid        not null,
    submission_id   uuid        not null,
    message_id      uuid,                             -- null: mail of the service itself, whose bytes are in raw
    inbox_id        uuid,
    reverse_path    text        not null,
    raw             bytea,
    handed_over     boolean     not null default false,
    created_at      timestamptz not null,
    primary key (organization_id, submission_id)
);
create index submission_message on submission (organization_id, message_id);
create index submission_created on submission (created_at);
create index submission_inbox on submission (organization_id, inbox_id);
select place('submission', 'organization_id', 'organization');

create table submission_recipient (
    organization_id uuid        not null,
    submission_id   uuid        not null,
    position        integer     not null,
    recipient       text        not null,
    state           text        not null,             -- queued, sending, delivered, captured, bounced
    claimed_by      uuid,                             -- the process that is sending it
    attempts        integer     not null default 0,
    due_at          timestamptz,
    last_reply      text,
    settled_at      timestamptz,
    primary key (organization_id, submission_id, position)
) with (fillfactor = 80);
create index submission_recipient_turn on submission_recipient (organization_id, due_at) where due_at is not null;
create index submission_recipient_settled on submission_recipient (settled_at) where settled_at is not null;
create index submission_recipient_due on submission_recipient (due_at) where due_at is not null;
select place('submission_recipient', 'organization_id', 'organization');

-- Drafts.

create table draft (
    organization_id uuid        not null,
    draft_id        uuid        not null,
    inbox_id        uuid        not null,
    pod_id          uuid        not null,
    client_id       text,
    labels          text[]      not null,             -- scheduled among them while it has a time
    recipients_to   text[]      not null,
    recipients_cc   text[]      not null,
    recipients_bcc  text[]      not null,
    reply_to        text[]      not null,
    subject         text,
    preview         text,
    text_body       text,
    html_body       text,
    in_reply_to     text,                             -- public id of the message it answers
    forward_of      text,                             -- public id of the message it passes on
    reference_ids   text[]      not null,
    send_status     text,                             -- scheduled, sending, failed
    send_at         timestamptz,
    due_at          timestamptz,                      -- to be sent, tried again, or taken from a process that died
    attempts        integer     not null default 0,
    claimed_by      uuid,                             -- the attempt that is sending it
    created_at      timestamptz not null,
    updated_at      timestamptz not null,             -- unique and in commit order per organization
    primary key (organization_id, draft_id)
);
create unique index draft_client on draft (organization_id, client_id);
create index draft_inbox_time on draft (organization_id, inbox_id, updated_at);
create index draft_time on draft (organization_id, updated_at);
create index draft_due on draft (due_at) where due_at is not null;
select place('draft', 'organization_id', 'organization');

create table draft_attachment (
    organization_id uuid        not null,
    attachment_id   uuid        not null,
    draft_id        uuid        not null,
    inbox_id        uuid        not null,
    position        integer     not null,
    filename        text,
    media_type      text        not null,
    inline          boolean     not null,
    content_id      text,
    size            bigint      not null,
    raw             bytea,
    blob            text,
    primary key (organization_id, attachment_id),
    check ((raw is null) <> (blob is null))
);
alter table draft_attachment alter column raw set storage external;
create index draft_attachment_draft on draft_attachment (organization_id, draft_id, position);
create index draft_attachment_blob on draft_attachment (organization_id, blob) where blob is not null;
select place('draft_attachment', 'organization_id', 'organization');

-- What a send was answered, by Idempotency-Key or, until the answer was written, by the request itself (P4, P5).
create table send_memory (
    organization_id uuid        not null,
    key             text        not null,
    fingerprint     bytea       not null,
    fence           bigint      not null,
    lease_until     timestamptz,                      -- not null: a send with this key is running
    message_name    text,
    thread_id       uuid,
    completed_at    timestamptz,
    expires_at      timestamptz not null,
    primary key (organization_id, key)
);
create index send_memory_expiry on send_memory (expires_at);
select place('send_memory', 'organization_id', 'organization');

-- Allow and block lists. The key serves both looks: one list in its order, and one address on the lists of three levels.
create table list_entry (
    organization_id uuid        not null,
    direction       text        not null,             -- send, receive, reply
    type            text        not null,             -- allow, block
    owner_id        uuid        not null,             -- the inbox, the pod, or the organization
    entry           text collate "C" not null,        -- an address or a domain: lower case, A-labels
    pod_id          uuid,                             -- of the pod and of the inbox
    inbox_id        uuid,
    reason          text,
    read_only       boolean     not null,             -- made by delivery
    created_at      timestamptz not null,
    primary key (organization_id, direction, type, owner_id, entry)
);
select place('list_entry', 'organization_id', 'organization');

-- Later work. Handlers may run twice safely.
create table job (
    organization_id uuid        not null,
    job_id          uuid        not null,
    kind            text        not null,
    subject         text        not null,             -- what it is about; one job per kind and subject
    due_at          timestamptz not null,
    attempts        integer     not null default 0,
    created_at      timestamptz not null,
    primary key (organization_id, job_id)
);
create unique index job_subject on job (organization_id, kind, subject);
create index job_due on job (due_at);
select place('job', 'organization_id', 'organization');

-- Search (docs/decisions/0013-search.md). How far the index of an organization has come, as a number of its clock.
create table search_progress (
    organization_id uuid        primary key,
    seq             bigint      not null
);
select place('search_progress', 'organization_id', 'organization');

-- A run is the index of some messages of one scope that follow one another in time; never changed, only replaced.
create table search_run (
    organization_id uuid        not null,
    scope_id        uuid        not null,             -- an inbox, a pod, or the organization
    run             bigint      not null,
    documents       integer     not null,
    newest          timestamptz not null,             -- the youngest message in it
    live            boolean     not null,
    drop_at         timestamptz,                      -- not live: being written, or replaced, and removed then
    primary key (organization_id, scope_id, run)
);
create index search_run_drop on search_run (drop_at) where drop_at is not null;
select place('search_run', 'organization_id', 'organization');

-- The bytes of runs: below key 0 the messages, from there on hashed terms with the messages that hold them.
create table search_block (
    organization_id uuid        not null,
    scope_id        uuid        not null,
    run             bigint      not null,
    key             bigint      not null,
    part            integer     not null,
    content         bytea       not null,
    primary key (organization_id, scope_id, run, key, part)
);
alter table search_block alter column content set storage external;
-- Merging replaces rows all the time: their room must soon be free for others.
alter table search_block set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
select place('search_block', 'organization_id', 'organization');

-- The searched text of a message, deflated: what phrases are looked for in and highlights are cut from.
create table search_text (
    organization_id uuid        not null,
    message_id      uuid        not null,
    content         bytea       not null,
    primary key (organization_id, message_id)
);
alter table search_text alter column content set storage external;
select place('search_text', 'organization_id', 'organization');
