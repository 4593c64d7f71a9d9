-- The whole schema, domain by domain. The file is numbered as the last of the migrations that it replaces: a database
-- that they made has the same tables, and counts as made by this file (docs/decisions/0046-migrations-and-locks.md).
--
-- Two kinds of tables (docs/architecture.md, "Growth"). The rows of a tenant table belong to one organization, and its
-- primary key and unique indexes begin with organization_id. A global table holds values that are unique across
-- organizations, and is keyed by that value. Each table is placed right after it is made, so that the same statements
-- serve one PostgreSQL and a cluster of Citus; settings of columns come before that, as Citus refuses them afterwards.
--
-- "Internal" means that clients never see the value. "Sealed" means encrypted under the master key.
--
-- "Not sampled" (statistics 0): the planner keeps no sample of what mail says and whom it is for. No plan depends on
-- these columns, and the sample would outlive mail that was deleted (docs/decisions/0050-figures-of-the-planner.md).

-- Tells the planner how many different values a column has, if the table has that column.
create function expect_few(expecting regclass, few name, count integer) returns void
language plpgsql as $$
begin
    if exists (select 1 from pg_attribute where attrelid = expecting and attname = few) then
        execute format('alter table %s alter column %I set (n_distinct = %s)', expecting, few, count);
    end if;
end
$$;

-- Distributes a table by a column where Citus is installed. The mate is a table whose rows lie on the same node; or
-- 'none'; or 'everywhere' for a copy on each node: a table that is small, seldom changes and is read much; or 'once'
-- for one node: a table that is small and changes often.
create function place(placed regclass, distribution_column text, mate text default 'default') returns void
language plpgsql as $$
begin
    -- The planner believes that organization and inbox are independent and that each has few rows. It would then read a
    -- whole inbox to find one row by its name. With few distinct values declared here it expects many rows for each of
    -- them, and takes the index of the name, whatever the tables hold at the time of planning.
    perform expect_few(placed, 'organization_id', 1);
    perform expect_few(placed, 'pod_id', 2);          -- fewer than inboxes, so that the index of an inbox is preferred
    perform expect_few(placed, 'inbox_id', 10);
    perform expect_few(placed, 'webhook_id', 10);
    if not exists (select 1 from pg_catalog.pg_extension where extname = 'citus') then
        return;
    end if;
    if mate = 'everywhere' then
        execute format('select create_reference_table(%L)', placed::text);
    elsif mate = 'once' then
        execute format('select create_distributed_table(%L, null, colocate_with => %L)', placed::text, 'none');
    else
        execute format('select create_distributed_table(%L, %L, colocate_with => %L)',
                       placed::text, distribution_column, mate);
    end if;
end
$$;

------------------------------------------------------------------------------------------------------------------------
-- Organizations
------------------------------------------------------------------------------------------------------------------------

-- A tenant: everything below belongs to one, except for the global tables.
create table organization (
    organization_id uuid        primary key,
    type            text        not null,             -- console, agent_unverified, agent_verified, operator
    human_email     text,                             -- the person responsible for it
    human_changes   integer     not null default 0,   -- how often an agent named another person
    mail_since      timestamptz,                      -- older mail is hidden until a person verifies; null: none is
    labs_enabled_at timestamptz,                      -- null: did not join the labs
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    message_security text,                            -- off, monitor, hold; null: the server's
    sending_stopped_at timestamptz,                   -- since when nothing leaves; null: mail leaves
    everything_stopped_at timestamptz                 -- since when webhooks and feeds wait, too; null: they go on
);
create index organization_stopped on organization (organization_id) where sending_stopped_at is not null;
select place('organization', 'organization_id');

-- The clock of an organization: a narrow row that every writing transaction locks first. It numbers events in the order
-- of commits, and counts what is stored. Pages are mostly empty, so that updates stay in their page.
create table organization_clock (
    organization_id uuid        primary key,
    event_seq       bigint      not null,             -- the last number given out
    last_at         timestamptz not null,             -- the last time given out; each is later than the one before
    messages        bigint      not null default 0,   -- stored now
    bytes           bigint      not null default 0,   -- of stored messages, and of drafts with their attachments
    due_at          timestamptz,                      -- its next look, as something was written; null: nothing was
    looked_seq      bigint,                           -- event_seq at the last look
    moved_to        text                              -- where it is now: no writer commits here any more
) with (fillfactor = 10);
select place('organization_clock', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- People: verification of agents, and sessions of the console
------------------------------------------------------------------------------------------------------------------------

-- Global: which organization a person's address belongs to.
create table human (
    human_email     text        primary key,          -- lower case
    organization_id uuid        not null,
    user_id         uuid                              -- given at the first sign-in
);
select place('human', 'human_email', 'everywhere');

-- The code by which the person named by an agent verifies its organization.
create table one_time_code (
    organization_id uuid        primary key,
    code_mac        bytea       not null,             -- a MAC of the code under the master key
    expires_at      timestamptz not null,
    attempts        integer     not null
);
select place('one_time_code', 'organization_id', 'organization');

-- The code by which a person signs in.
create table sign_in_code (
    organization_id uuid        not null,
    human_email     text        not null,
    code_mac        bytea       not null,             -- a MAC of the code under the master key
    expires_at      timestamptz not null,
    attempts        integer     not null,
    primary key (organization_id, human_email)
);
select place('sign_in_code', 'organization_id', 'organization');

-- A person who is signed in.
create table console_session (
    organization_id uuid        not null,
    session_id      uuid        not null,
    human_email     text        not null,
    created_at      timestamptz not null,
    expires_at      timestamptz not null,
    primary key (organization_id, session_id)
);
select place('console_session', 'organization_id', 'organization');

-- Global: the keys that sign session tokens.
create table session_key (
    kid             text        primary key,          -- the key ID in the header of a token (RFC 7515 §4.1.4)
    private_key     bytea       not null,             -- sealed JWK
    created_at      timestamptz not null
);
select place('session_key', 'kid', 'everywhere');

------------------------------------------------------------------------------------------------------------------------
-- API keys
------------------------------------------------------------------------------------------------------------------------

-- A bearer key, or a public key by which a client signs its requests.
create table api_key (
    organization_id  uuid        not null,
    api_key_id       uuid        not null,
    pod_id           uuid,                            -- not null: bound to a pod, or to an inbox of it
    inbox_id         uuid,                            -- not null: bound to an inbox
    name             text        not null,
    prefix           text,                            -- the beginning of a bearer key, for people to recognize it
    hash             bytea,                           -- SHA-256 of a bearer key
    public_key       bytea,                           -- a point on P-256, x and y; null: a bearer key
    client_id        text,                            -- of a public key
    created_by       uuid,                            -- of a public key: the bearer key that registered it
    permissions      text[],                          -- null: unrestricted
    provider_connect boolean     not null,            -- the permission that "unrestricted" does not include
    from_sign_up     boolean     not null,            -- made at a sign-up; deleted at the next one
    used_at          timestamptz,
    expires_at       timestamptz,
    created_at       timestamptz not null,
    updated_at       timestamptz not null,
    status           text,                            -- pending, active: a sign-in key; null: of POST /v0/api-keys
    message_release  boolean     not null default false, -- a permission that "unrestricted" does not include
    draft_approve    boolean     not null default false, -- a permission that "unrestricted" does not include
    audit_read       boolean     not null default false, -- a permission that "unrestricted" does not include
    send_approval    boolean     not null default false, -- nothing that it sends leaves without approval
    primary key (organization_id, api_key_id)
);
create unique index api_key_client on api_key (organization_id, client_id) where client_id is not null;
create index api_key_created on api_key (organization_id, created_at, api_key_id);
create index api_key_expires on api_key (expires_at) where expires_at is not null;
select place('api_key', 'organization_id', 'organization');

-- Global: finds the bearer key of a request.
create table api_key_secret (
    hash            bytea       primary key,          -- SHA-256 of the key
    organization_id uuid        not null,
    api_key_id      uuid        not null
);
select place('api_key_secret', 'hash', 'none');

------------------------------------------------------------------------------------------------------------------------
-- Pods
------------------------------------------------------------------------------------------------------------------------

-- A group of inboxes inside an organization.
create table pod (
    organization_id uuid        not null,
    pod_id          uuid        not null,
    name            text        not null,
    description     text,
    client_id       text,                             -- the client's own id: creating with it again gives the same pod
    is_default      boolean     not null,             -- made with the organization
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    sending_stopped_at timestamptz,                   -- since when nothing leaves; null: mail leaves
    primary key (organization_id, pod_id)
);
create unique index pod_client on pod (organization_id, client_id);
create index pod_created on pod (organization_id, created_at, pod_id);
create index pod_stopped on pod (organization_id, pod_id) where sending_stopped_at is not null;
select place('pod', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Domains
------------------------------------------------------------------------------------------------------------------------

-- A domain as one organization registered it. Several organizations may register the same one; one of them holds it.
create table domain (
    organization_id     uuid        not null,
    domain              text        not null,         -- lower case, A-labels; also the public id
    pod_id              uuid,                         -- null: for the inboxes of every pod
    client_id           text,
    feedback_enabled    boolean     not null,         -- reports of bounces and complaints go to the sending inbox
    subdomains_enabled  boolean     not null,         -- stands for all names below it too
    tracking_enabled    boolean     not null,
    beside_others       boolean     not null,         -- MX records of another provider may stand beside ours
    selector            text        not null,         -- of DKIM
    private_key         bytea       not null,         -- of DKIM, for this registration alone; sealed PKCS#8
    dns_record          text        not null,         -- the DKIM record to publish
    status              text        not null,
    reason              text,                         -- why it is not verified
    findings            text[]      not null,         -- of the last check: for each record its name, state and reason
    sending             boolean     not null,         -- mail may leave from it
    proven_at           timestamptz,                  -- when our DKIM key was seen first, which proves ownership
    since               timestamptz,                  -- verifying: all records are right since; verified: one is not
    checked_at          timestamptz,
    restarted_at        timestamptz not null,         -- the intervals between checks are counted from here
    due_at              timestamptz,                  -- the next check; null: only on request
    requested_until     timestamptz,                  -- a check on request is running, at most until then
    created_at          timestamptz not null,
    updated_at          timestamptz not null,
    primary key (organization_id, domain)
);
create unique index domain_client on domain (organization_id, client_id);
create index domain_created on domain (organization_id, created_at, domain);
create index domain_due on domain (due_at) where due_at is not null;
select place('domain', 'organization_id', 'organization');

-- Global: which organization holds a domain. Every recipient of incoming mail (RCPT) is looked up here.
create table domain_holder (
    domain          text        primary key,          -- lower case, A-labels
    organization_id uuid        not null,
    path            text collate "C" not null,        -- its labels from the right, each with a dot: com.example.
    subdomains      boolean     not null,             -- stands for all names below it too
    verified        boolean     not null,             -- false: another organization takes it over by verifying it
    changed_at      timestamptz not null
);
create index domain_holder_path on domain_holder (path);
select place('domain_holder', 'domain', 'everywhere');

-- Global: makes transactions wait for each other that take a domain above or below the same name. The transaction that
-- inserts a row also deletes it, so that no other ever sees one; it holds the key until it ends.
create table domain_family (
    family text primary key                           -- the last two labels
);
select place('domain_family', 'family', 'once');

-- Global: the DKIM keys of the server's own domain.
create table signing_key (
    domain          text        primary key,
    selector        text        not null,
    private_key     bytea       not null,             -- RSA; sealed PKCS#8
    dns_record      text        not null,             -- the record to publish
    second_key      bytea,                            -- Ed25519 (RFC 8463); sealed PKCS#8
    second_record   text,                             -- the record to publish under the second selector
    created_at      timestamptz not null
);
select place('signing_key', 'domain', 'everywhere');

------------------------------------------------------------------------------------------------------------------------
-- Inboxes
------------------------------------------------------------------------------------------------------------------------

-- An address that receives and sends mail, with what it holds.
create table inbox (
    organization_id uuid        not null,
    inbox_id        uuid        not null,             -- internal; the public id is the address
    pod_id          uuid        not null,
    address         text        not null,
    display_name    text,
    words           text        not null,             -- of address and display name, normalized, for the search
    client_id       text,
    metadata        jsonb,
    status          text        not null,             -- active, paused
    deleting        boolean     not null default false, -- gone for clients; a job removes what it holds
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    correspondents_known boolean     not null default true, -- from its beginning
    send_approval   boolean     not null default false, -- nothing leaves it without approval
    sending_paused  boolean     not null default false, -- its sending alone
    primary key (organization_id, inbox_id)
);
create unique index inbox_address on inbox (organization_id, address) where not deleting;
create unique index inbox_client on inbox (organization_id, client_id) where not deleting;
create index inbox_created on inbox (organization_id, created_at, inbox_id);
create index inbox_pod_created on inbox (organization_id, pod_id, created_at, inbox_id);
select place('inbox', 'organization_id', 'organization');

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

-- Global: which inbox an address belongs to.
create table address (
    address         text        primary key,          -- lower case
    organization_id uuid        not null,
    inbox_id        uuid,                             -- null: given up; only the same organization may take it again
    changed_at      timestamptz not null
);
select place('address', 'address', 'none');

-- Global: how addresses look, so that nobody takes one that is easily mistaken for an address of somebody else.
create table look_alike (
    skeleton        text        primary key,          -- the address with similar characters made equal
    organization_id uuid        not null
);
select place('look_alike', 'skeleton', 'none');

------------------------------------------------------------------------------------------------------------------------
-- Allow and block lists
------------------------------------------------------------------------------------------------------------------------

-- An entry of a list. The primary key serves both readers: one list in its order, and one address on the lists of an
-- inbox, its pod and its organization.
create table list_entry (
    organization_id uuid        not null,
    direction       text        not null,             -- send, receive, reply
    type            text        not null,             -- allow, block
    owner_id        uuid        not null,             -- an inbox, a pod, or the organization
    entry           text collate "C" not null,        -- an address or a domain: lower case, A-labels
    pod_id          uuid,                             -- of the list of a pod or of an inbox
    inbox_id        uuid,                             -- of the list of an inbox
    reason          text,
    read_only       boolean     not null,             -- made by a bounce or a complaint
    created_at      timestamptz not null,
    primary key (organization_id, direction, type, owner_id, entry)
);
select place('list_entry', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Messages
------------------------------------------------------------------------------------------------------------------------

-- A message in an inbox, received or sent: what lists show of it.
create table message (
    organization_id uuid        not null,
    message_id      uuid        not null,             -- internal; the public id is the name
    inbox_id        uuid        not null,
    pod_id          uuid        not null,
    thread_id       uuid        not null,
    name            text        not null,             -- its Message-ID with brackets, unique in the inbox
    labels          text[]      not null,
    restricted      integer     not null,             -- labels as bits: 1 spam, 2 blocked, 4 unauthenticated, 8 trash
    outgoing        boolean     not null,             -- sent by this inbox
    sender          text        not null,
    recipients_to   text[]      not null,
    recipients_cc   text[],
    recipients_bcc  text[],
    subject         text,
    preview         text,                             -- the beginning of its text
    size            bigint      not null,             -- of the raw message, in octets
    attachments     integer     not null,             -- how many
    opened_at       timestamptz,                      -- when its tracking pixel was loaded first
    created_at      timestamptz not null,             -- its time: unique and in commit order per organization
    updated_at      timestamptz not null,
    delivered_to    text[],                           -- recipients of its envelope, as they were written at RCPT
    first_contact   boolean,                          -- of the author with the inbox; null: sent, or not known
    primary key (organization_id, message_id)
);
alter table message -- not sampled
    alter column sender set statistics 0, alter column recipients_to set statistics 0,
    alter column recipients_cc set statistics 0, alter column recipients_bcc set statistics 0,
    alter column subject set statistics 0, alter column preview set statistics 0, alter column size set statistics 0,
    alter column attachments set statistics 0, alter column updated_at set statistics 0,
    alter column delivered_to set statistics 0;
create unique index message_name on message (organization_id, inbox_id, name);
create index message_time on message (organization_id, inbox_id, created_at);
create index message_thread on message (organization_id, thread_id, created_at);
-- Held mail, which copies are compared with; there is little of it.
create index message_held on message (organization_id, created_at) where restricted & 16 <> 0;
select place('message', 'organization_id', 'organization');

-- The raw message as it came or went: a small one in this row, a large one in the blob store. What clients are shown is
-- read from it; for sent mail and for large mail it is stored beside it, with the bodies apart, as lists read none.
-- PostgreSQL compresses raw mail in its row: a row that fits three times into a page keeps its mail, and needs no other
-- rows and index entries for it (docs/decisions/0043-what-mail-takes-on-the-disk.md).
create table message_content (
    organization_id uuid        not null,
    message_id      uuid        not null,
    inbox_id        uuid        not null,
    raw             bytea,                            -- null: in the blob store
    header_size     integer     not null,             -- in octets: of `shown` when inflated, or of the raw header
    blob            text,                             -- the name in the blob store
    shown           bytea,                            -- deflated JSON: header fields
    bodies          bytea,                            -- deflated JSON: text and html
    sha256          bytea       not null,             -- of the raw message
    primary key (organization_id, message_id),
    check ((raw is null) <> (blob is null))
) with (toast_tuple_target = 2704);
alter table message_content -- the deflated ones are not compressed again
    alter column shown set storage external, alter column bodies set storage external;
alter table message_content -- not sampled
    alter column raw set statistics 0, alter column header_size set statistics 0, alter column shown set statistics 0,
    alter column bodies set statistics 0, alter column sha256 set statistics 0;
create index message_content_blob on message_content (organization_id, blob) where blob is not null;
select place('message_content', 'organization_id', 'organization');

-- A stretch of base64 in a large message that lies in a blob of its own, which messages of the organization share.
create table message_piece (
    organization_id uuid        not null,
    message_id      uuid        not null,
    position        bigint      not null,             -- where it begins in the raw message
    length          bigint      not null,             -- in the raw message, in octets: base64 in lines
    line            integer     not null,             -- characters in a line of base64
    size            bigint      not null,             -- decoded, in octets, as the blob holds it
    blob            text        not null,             -- the name in the blob store
    sha256          bytea       not null,             -- of the decoded octets
    primary key (organization_id, message_id, position)
);
create index message_piece_blob on message_piece (organization_id, blob);
create index message_piece_digest on message_piece (organization_id, sha256);
select place('message_piece', 'organization_id', 'organization');

-- An attachment of a message.
create table attachment (
    organization_id uuid        not null,
    attachment_id   uuid        not null,
    inbox_id        uuid        not null,
    message_id      uuid        not null,
    thread_id       uuid        not null,
    part            integer     not null,             -- the number of the part in the raw message
    filename        text,
    media_type      text        not null,
    inline          boolean     not null,
    content_id      text,
    size            bigint      not null,             -- decoded, in octets
    text            bytea,                            -- the text extracted from it: deflated UTF-8
    text_due_at     timestamptz,                      -- not null: its text is still to be extracted
    text_attempts   integer     not null default 0,
    primary key (organization_id, attachment_id)
);
alter table attachment
    alter column text set storage external;
alter table attachment -- not sampled
    alter column filename set statistics 0, alter column media_type set statistics 0,
    alter column content_id set statistics 0, alter column text set statistics 0;
create index attachment_text_due on attachment (text_due_at) where text_due_at is not null;
create index attachment_message on attachment (organization_id, message_id, part);
create index attachment_thread on attachment (organization_id, thread_id);
select place('attachment', 'organization_id', 'organization');

-- Digests of received mail. A server that missed our 250 and sends the same again is answered 250 without a second
-- message.
create table redelivery (
    organization_id uuid        not null,
    digest          bytea       not null,
    at              timestamptz not null,
    primary key (organization_id, digest)
);
create index redelivery_at on redelivery using brin (at); -- only for the removal of old rows
-- Only for the removal of old rows. redelivery_at, which is of blocks of pages, finds nothing any more once rows of
-- today lie where removed ones were (docs/decisions/0079-events-age.md).
create index redelivery_time on redelivery (at);
select place('redelivery', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Threads
------------------------------------------------------------------------------------------------------------------------

-- A conversation in an inbox, with totals over its messages. A message is clean when it has no restricted label. The
-- totals are of the clean messages, or of all messages when none is clean.
create table thread (
    organization_id uuid        not null,
    thread_id       uuid        not null,
    inbox_id        uuid        not null,
    pod_id          uuid        not null,
    labels          text[]      not null,
    restricted      integer     not null,             -- bits as in message; 0 exactly when a message is clean
    senders         text[]      not null,
    recipients      text[]      not null,             -- to, cc and bcc
    subject         text,                             -- of the first message
    preview         text,                             -- of the last message
    last_message    text        not null,             -- the public id of the last message
    message_count   integer     not null,
    size            bigint      not null,
    attachments     integer     not null,             -- how many
    at              timestamptz not null,             -- the time of the last message
    received_at     timestamptz,                      -- the time of the last received message
    sent_at         timestamptz,                      -- the time of the last sent message
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    primary key (organization_id, thread_id)
) with (fillfactor = 90);
alter table thread -- not sampled
    alter column senders set statistics 0, alter column recipients set statistics 0,
    alter column subject set statistics 0, alter column preview set statistics 0,
    alter column last_message set statistics 0, alter column message_count set statistics 0,
    alter column size set statistics 0, alter column attachments set statistics 0,
    alter column updated_at set statistics 0;
create index thread_inbox_time on thread (organization_id, inbox_id, at);
create index thread_pod_time on thread (organization_id, pod_id, at);
create index thread_time on thread (organization_id, at);
select place('thread', 'organization_id', 'organization');

-- Message-IDs that stored messages refer to: a conversation stays together even if its first message was never
-- received. And ids of a message beside its public one: that which its sender wrote, and that which a relay gave it.
-- Both lead to the message; where message_id is null, other messages referred to the id.
create table message_reference (
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    reference       bytea       not null,             -- the first 16 octets of the SHA-256 of the Message-ID
    thread_id       uuid        not null,
    message_id      uuid,
    primary key (organization_id, inbox_id, reference)
);
create index message_reference_thread on message_reference (organization_id, thread_id);
select place('message_reference', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Drafts
------------------------------------------------------------------------------------------------------------------------

-- A message that is still being written, is sent at a given time, or waits for approval with the ids that its message
-- will have.
create table draft (
    organization_id uuid        not null,
    draft_id        uuid        not null,
    inbox_id        uuid        not null,
    pod_id          uuid        not null,
    client_id       text,
    labels          text[]      not null,             -- with "scheduled" while it has a time
    recipients_to   text[]      not null,
    recipients_cc   text[]      not null,
    recipients_bcc  text[]      not null,
    reply_to        text[]      not null,
    subject         text,
    preview         text,
    text_body       text,
    html_body       text,
    in_reply_to     text,                             -- the public id of the message it answers
    forward_of      text,                             -- the public id of the message it forwards
    reference_ids   text[]      not null,             -- for the References field (RFC 5322 §3.6.4)
    send_status     text,                             -- scheduled, sending, failed
    send_at         timestamptz,                      -- when it is to be sent
    due_at          timestamptz,                      -- when it is sent, tried again, or taken from a node that died
    attempts        integer     not null default 0,
    claimed_by      uuid,                             -- the attempt that is sending it
    created_at      timestamptz not null,
    updated_at      timestamptz not null,             -- unique and in commit order per organization
    send_error      text,                             -- a sentence for its owner; only of a failed one
    author_key      uuid,                             -- the key that wrote it; null: a person, or one of before
    key_approval    boolean     not null default false, -- a key that needs approval wrote or sent it
    approval        text,                             -- awaiting, rejected; null: nobody was asked
    approval_note   text,                             -- of a rejection
    asked_by        uuid,                             -- the key that asked to send it; null: a person, or its schedule
    asked_at        timestamptz,
    message_uuid    uuid,                             -- makes the Message-ID
    message_name    text,                             -- the public id that its message will have
    thread_id       uuid,                             -- the thread that its message will be in
    specifics       text,                             -- JSON: what a draft cannot say otherwise
    node_id         uuid,                             -- the node of the attempt that is sending it
    author_keys     uuid[]      not null default '{}', -- keys that wrote in it; one of before has author_key alone
    primary key (organization_id, draft_id)
);
alter table draft -- not sampled
    alter column recipients_to set statistics 0, alter column recipients_cc set statistics 0,
    alter column recipients_bcc set statistics 0, alter column reply_to set statistics 0,
    alter column subject set statistics 0, alter column preview set statistics 0,
    alter column text_body set statistics 0, alter column html_body set statistics 0,
    alter column in_reply_to set statistics 0, alter column forward_of set statistics 0,
    alter column reference_ids set statistics 0,
    alter column send_error set statistics 0, alter column approval_note set statistics 0,
    alter column specifics set statistics 0;
create unique index draft_client on draft (organization_id, client_id);
create index draft_inbox_time on draft (organization_id, inbox_id, updated_at);
create index draft_time on draft (organization_id, updated_at);
create index draft_due on draft (due_at) where due_at is not null;
create index draft_message on draft (organization_id, inbox_id, message_name) where message_name is not null;
create index draft_turn on draft (organization_id, due_at) where due_at is not null;
-- As delivery_claimed.
create index draft_claimed on draft (node_id, organization_id) where claimed_by is not null and due_at is not null;
select place('draft', 'organization_id', 'organization');

-- An attachment of a draft.
create table draft_attachment (
    organization_id uuid        not null,
    attachment_id   uuid        not null,
    draft_id        uuid        not null,
    inbox_id        uuid        not null,
    position        integer     not null,             -- its place among the attachments of the draft
    filename        text,
    media_type      text        not null,
    inline          boolean     not null,
    content_id      text,
    size            bigint      not null,             -- in octets
    raw             bytea,                            -- its octets; null: in the blob store
    blob            text,                             -- the name in the blob store
    url             text,                             -- not null: it is fetched when its draft leaves
    primary key (organization_id, attachment_id),
    check (num_nonnulls(raw, blob, url) = 1)
);
alter table draft_attachment
    alter column raw set storage external;
alter table draft_attachment -- not sampled
    alter column filename set statistics 0, alter column media_type set statistics 0,
    alter column content_id set statistics 0, alter column raw set statistics 0,
    alter column url set statistics 0;
create index draft_attachment_draft on draft_attachment (organization_id, draft_id, position);
create index draft_attachment_blob on draft_attachment (organization_id, blob) where blob is not null;
select place('draft_attachment', 'organization_id', 'organization');

-- The message of a draft that was sent. The draft's own row is gone with the commit of the message.
create table sent_draft (
    organization_id uuid        not null,
    draft_id        uuid        not null,
    message_id      uuid        not null,             -- internal
    primary key (organization_id, draft_id)
);
create unique index sent_draft_message on sent_draft (organization_id, message_id);
select place('sent_draft', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Sending
------------------------------------------------------------------------------------------------------------------------

-- Idempotency: the answer to a send, by the client's Idempotency-Key. Without one, by the request itself, until the
-- answer was written.
create table send_memory (
    organization_id uuid        not null,
    key             text        not null,
    fingerprint     bytea       not null,             -- of the request: another request with the same key is refused
    fence           bigint      not null,             -- numbers the claims of the key: only the last may complete it
    lease_until     timestamptz,                      -- not null: a send with this key is running
    message_name    text,                             -- the answer: the public id of the sent message
    thread_id       uuid,                             -- the answer: its thread
    completed_at    timestamptz,
    expires_at      timestamptz not null,
    draft_id        uuid,                             -- the answer to a send that waits for approval
    node_id         uuid,                             -- that sends; when it is dead, a repeat takes the key over
    primary key (organization_id, key)
);
create index send_memory_expiry on send_memory (expires_at);
select place('send_memory', 'organization_id', 'organization');

-- How many recipients an organization sent to in a day. Rows are written only where a quota counts them.
create table send_count (
    organization_id uuid        not null,
    day             date        not null,             -- UTC
    sent            integer     not null,
    primary key (organization_id, day)
);
select place('send_count', 'organization_id', 'organization');

-- The same for an inbox: the limit stops an agent that sends without end.
create table inbox_send_count (
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    day             date        not null,             -- UTC
    sent            integer     not null,
    primary key (organization_id, inbox_id, day)
);
select place('inbox_send_count', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- The queue: mail that leaves
------------------------------------------------------------------------------------------------------------------------

-- A message in the queue: its envelope without the recipients (RFC 5321 §2.3.1). Parameters of delivery status
-- notifications are stored as the client gave them, because they are passed on like that.
create table submission (
    organization_id uuid        not null,
    submission_id   uuid        not null,
    message_id      uuid,                             -- null: mail of the service itself, in raw
    inbox_id        uuid,
    reverse_path    text        not null,
    raw             bytea,
    ret             text        not null default '',  -- FULL, HDRS, or empty (RFC 3461 §4.3)
    envid           text        not null default '',  -- in xtext, or empty (RFC 3461 §4.4)
    handed_over     boolean     not null default false, -- it has left for at least one recipient
    created_at      timestamptz not null,
    primary key (organization_id, submission_id)
);
alter table submission -- not sampled
    alter column reverse_path set statistics 0, alter column raw set statistics 0, alter column envid set statistics 0;
create index submission_message on submission (organization_id, message_id);
create index submission_created on submission (created_at);
create index submission_inbox on submission (organization_id, inbox_id);
-- The service's own mail, for its removal.
create index submission_letter on submission (created_at) where message_id is null;
select place('submission', 'organization_id', 'organization');

-- A recipient of a message in the queue, with the state of the delivery.
create table submission_recipient (
    organization_id uuid        not null,
    submission_id   uuid        not null,
    position        integer     not null,
    recipient       text        not null,
    destination     text collate "C" not null default '', -- its domain, lower case: limits are by destination
    local           boolean     not null default false, -- an inbox of this server, at the time it was queued
    notify          text        not null default '',  -- NEVER, some of SUCCESS,FAILURE,DELAY, or empty (RFC 3461 §4.1)
    orcpt           text        not null default '',  -- type;address in xtext, or empty (RFC 3461 §4.2)
    state           text        not null,             -- queued, sending, delivered, captured, bounced
    attempts        integer     not null default 0,
    held            integer     not null default 0,   -- attempts that did not reach another server
    due_at          timestamptz,                      -- the next attempt, or the end of the lease; null: settled
    claimed_by      uuid,                             -- the node that is sending it
    last_reply      text,                             -- of the other server
    delay_told      boolean     not null default false, -- the sender was told of the delay
    settled_at      timestamptz,                      -- when the last attempt ended
    complained_at   timestamptz,                      -- not null: the complaint was reported, and is not reported again
    primary key (organization_id, submission_id, position)
) with (fillfactor = 80);
alter table submission_recipient -- not sampled
    alter column recipient set statistics 0, alter column orcpt set statistics 0,
    alter column last_reply set statistics 0;
create index submission_recipient_turn on submission_recipient (organization_id, due_at) where due_at is not null;
create index submission_recipient_settled on submission_recipient (settled_at) where settled_at is not null;
create index submission_recipient_due on submission_recipient (due_at) where due_at is not null;
create index submission_recipient_local on submission_recipient (organization_id, due_at)
    where local and due_at is not null;
-- As delivery_claimed.
create index submission_recipient_sending on submission_recipient (claimed_by, organization_id)
    where state = 'sending' and due_at is not null;
select place('submission_recipient', 'organization_id', 'organization');

-- Global: MTA-STS policies of other domains (RFC 8461). They are stored because an attacker could hide them (§5.1),
-- and fetched again before they expire (§3.3) as long as mail goes to the domain.
create table sts_policy (
    domain          text        primary key,          -- lower case, A-labels
    policy_id       text        not null,             -- as the TXT record names it
    policy          text        not null,             -- as it was fetched
    expires_at      timestamptz not null,
    used_at         timestamptz not null default now(), -- about a day exact
    refresh_at      timestamptz not null default now() -- when it is fetched again
);
create index sts_policy_expiry on sts_policy (expires_at);
create index sts_policy_refresh on sts_policy (refresh_at);
select place('sts_policy', 'domain', 'once');

------------------------------------------------------------------------------------------------------------------------
-- Events
------------------------------------------------------------------------------------------------------------------------

-- The event log: a row for each change, written in the transaction of the change. A row that adds or removes several
-- labels stands for an event for each of them, whose numbers follow its own. A fifth of a year's log is much to let lie
-- before the first vacuum.
create table event (
    organization_id uuid        not null,
    seq             bigint      not null,             -- from the clock of the organization: the order of commits
    at              timestamptz not null,
    type            text        not null,
    pod_id          uuid,
    inbox_id        uuid,
    thread_id       uuid,
    message_id      uuid,
    message_name    text,                             -- the public id of the message
    labels          text[],                           -- that were added or removed
    restricted      integer     not null default 0,   -- bits as in message
    details         jsonb,                            -- what else the event says
    messages        integer,                          -- messages that the change added to its inbox, or took from it
    bytes           bigint,                           -- the same in octets
    threads         integer,                          -- the same in threads
    primary key (organization_id, seq)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table event -- not sampled
    alter column message_name set statistics 0, alter column details set statistics 0,
    alter column messages set statistics 0, alter column bytes set statistics 0, alter column threads set statistics 0;
create index event_feed on event (organization_id, inbox_id, seq);
create index event_message on event (organization_id, message_id) where message_id is not null;
select place('event', 'organization_id', 'organization');

-- From where on the log of an organization is kept, where INBOXD_RETENTION says for how long. An organization without a
-- row has its whole log. It is told of here before the first event goes (docs/decisions/0079-events-age.md).
create table event_horizon (
    organization_id uuid        primary key,
    seq             bigint      not null,             -- events up to this number are not kept
    moved_at        timestamptz not null
);
select place('event_horizon', 'organization_id', 'organization');

-- The thread of a received message right after its arrival, so that each attempt of a webhook sends the same octets
-- (docs/decisions/0029-the-same-bytes.md). Written only for a message that joined a thread, and only where there is a
-- webhook; kept as long as attempts are.
create table event_thread (
    organization_id uuid        not null,
    seq             bigint      not null,             -- of the event of the arrival
    thread_id       uuid        not null,             -- from here on the columns of thread
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
    attachment_ids  uuid[],                           -- of its messages at that time, oldest first; null: none
    remembered_at   timestamptz not null,             -- when this row was written
    primary key (organization_id, seq)
);
alter table event_thread -- not sampled
    alter column senders set statistics 0, alter column recipients set statistics 0,
    alter column subject set statistics 0, alter column preview set statistics 0,
    alter column last_message set statistics 0;
create index event_thread_remembered on event_thread using brin (remembered_at); -- only for the removal of old rows
-- As redelivery_time.
create index event_thread_time on event_thread (remembered_at);
select place('event_thread', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Webhooks
------------------------------------------------------------------------------------------------------------------------

-- A subscription to events: an endpoint that is called, or a queue that clients poll.
create table webhook (
    organization_id uuid        not null,
    webhook_id      text        not null,
    pod_id          uuid,                             -- not null: owned by a pod
    inbox_id        uuid,                             -- not null: owned by an inbox
    polling         boolean     not null default false,
    url             text,                             -- null: polling
    secret          bytea       not null,             -- signs what is sent; sealed
    former_secret   bytea,                            -- after a rotation: signs beside the new one; sealed
    former_until    timestamptz,                      -- until then
    token_hash      bytea,                            -- polling: SHA-256 of the token that reads the queue
    headers         bytea,                            -- custom header fields of a call: sealed JSON
    enabled         boolean     not null,
    event_types     text[]      not null,             -- that are delivered
    pod_ids         uuid[],                           -- null here and in inbox_ids: events of all pods and inboxes
    inbox_ids       uuid[],
    client_id       text,                             -- unique among endpoints, and among queues
    failing_since   timestamptz,
    disabled_at     timestamptz,                      -- the last time; deliveries that waited then are cancelled
    last_position   bigint      not null default 0,   -- polling: the last position given out
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    primary key (organization_id, webhook_id)
);
create unique index webhook_client on webhook (organization_id, polling, client_id);
select place('webhook', 'organization_id', 'organization');

-- An event that is to be delivered to a webhook. The row is deleted when an endpoint has accepted it. In the queue of a
-- polling webhook it has neither due_at nor failed_at.
create table delivery (
    organization_id uuid        not null,
    seq             bigint      not null,             -- of the event
    webhook_id      text        not null,
    attempts        integer     not null default 0,
    due_at          timestamptz,                      -- the next attempt; null: given up, or polling
    claimed_by      uuid,                             -- the node that attempts it, or is about to
    payload         bytea,                            -- stored at the first failure, so that each retry sends the same
    message_id      uuid,
    last_error      text,
    failed_at       timestamptz,                      -- when it was given up; kept for three days
    position        bigint,                           -- polling: its position in the queue; null: not given one yet
    created_at      timestamptz not null,
    primary key (organization_id, seq, webhook_id)
) with (fillfactor = 80);
alter table delivery -- not sampled
    alter column payload set statistics 0, alter column last_error set statistics 0;
create index delivery_failed on delivery (failed_at) where failed_at is not null;
create index delivery_webhook on delivery (organization_id, webhook_id, due_at);
create index delivery_queued on delivery (organization_id, webhook_id, seq)
    where due_at is null and failed_at is null and position is null;
create unique index delivery_position on delivery (organization_id, webhook_id, position) where position is not null;
create index delivery_failed_turn on delivery (organization_id, failed_at) where failed_at is not null;
-- What waits in the queues of polling webhooks, for the removal of what is old.
create index delivery_polled on delivery (created_at) where due_at is null and failed_at is null;
-- What a node has claimed is found by the node when it dies, however many organizations have other work.
create index delivery_claimed on delivery (claimed_by, organization_id) where claimed_by is not null;
select place('delivery', 'organization_id', 'organization');

-- An attempt to deliver an event, for the log that the owner of the webhook reads.
create table delivery_attempt (
    organization_id uuid        not null,
    webhook_id      text        not null,
    seq             bigint      not null,             -- of the event
    at              timestamptz not null,
    attempt         integer     not null,             -- counted from 1
    status          integer,                          -- of the HTTP response; null: there was none
    error           text,                             -- why it failed, in a few words
    millis          integer     not null,             -- how long it took
    answer          text,                             -- the beginning of the response
    primary key (organization_id, webhook_id, seq, at)
);
alter table delivery_attempt -- not sampled
    alter column error set statistics 0, alter column millis set statistics 0, alter column answer set statistics 0;
create index delivery_attempt_at on delivery_attempt using brin (at); -- only for the removal of old rows
-- As redelivery_time.
create index delivery_attempt_time on delivery_attempt (at);
select place('delivery_attempt', 'organization_id', 'organization');

-- A reader of a polling webhook.
create table polling_consumer (
    organization_id uuid        not null,
    webhook_id      text        not null,
    consumer_id     text        not null,
    committed       bigint      not null,             -- the last position it has confirmed
    issued          bigint      not null,             -- the last position it was given
    leased_until    timestamptz,                      -- not null: it works on what it was given
    used_at         timestamptz not null,
    primary key (organization_id, webhook_id, consumer_id)
);
select place('polling_consumer', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Search (docs/decisions/0013-search.md)
------------------------------------------------------------------------------------------------------------------------

-- How far the index of an organization follows its events.
create table search_progress (
    organization_id uuid        primary key,
    seq             bigint      not null              -- of the last event that is indexed
);
select place('search_progress', 'organization_id', 'organization');

-- A segment of the index: of some messages of one scope that follow one another in time. It is never changed; merging
-- replaces it.
create table search_run (
    organization_id uuid        not null,
    scope_id        uuid        not null,             -- an inbox, a pod, or the organization
    run             bigint      not null,             -- the number of the segment
    documents       integer     not null,             -- messages in it
    deleted         integer     not null default 0,   -- of them, deleted since it was written
    newest          timestamptz not null,             -- the time of the last message in it
    stale_at        timestamptz,                      -- when the first was deleted; within a day it is written anew
    live            boolean     not null,             -- searched; false: being written, or replaced
    drop_at         timestamptz,                      -- not live: when it is removed
    primary key (organization_id, scope_id, run)
);
create index search_run_drop on search_run (drop_at) where drop_at is not null;
create index search_run_stale on search_run (stale_at) where stale_at is not null;
select place('search_run', 'organization_id', 'organization');

-- A block of a segment. Merging replaces rows all the time, so vacuum comes early and does not pause: their room must
-- soon be free for others.
create table search_block (
    organization_id uuid        not null,
    scope_id        uuid        not null,
    run             bigint      not null,
    key             bigint      not null,             -- negative: names of its messages; else postings of a term
    part            integer     not null,             -- counts the blocks of the same key
    content         bytea       not null,
    primary key (organization_id, scope_id, run, key, part)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
alter table search_block
    alter column content set storage external;
alter table search_block -- not sampled
    alter column content set statistics 0;
select place('search_block', 'organization_id', 'organization');

-- The text of a message for the search: phrases are checked in it, and highlights are cut from it.
create table search_text (
    organization_id uuid        not null,
    message_id      uuid        not null,
    content         bytea       not null,             -- deflated
    primary key (organization_id, message_id)
);
alter table search_text
    alter column content set storage external;
alter table search_text -- not sampled
    alter column content set statistics 0;
select place('search_text', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Spam
------------------------------------------------------------------------------------------------------------------------

-- What clients said of received messages by setting or removing the label spam, and how each was learned. A message is
-- learned once; when its mark changes, what was learned from it is taken back first.
create table spam_mark (
    organization_id uuid        not null,
    message_id      uuid        not null,
    spam            boolean     not null,             -- how it is marked
    learned         boolean,                          -- how it was learned; null: not yet
    primary key (organization_id, message_id)
);
create index spam_mark_due on spam_mark (organization_id) where learned is distinct from spam;
select place('spam_mark', 'organization_id', 'organization');

-- The model of an organization's spam classifier, learned from its own mail only. Its size is fixed.
create table spam_model (
    organization_id uuid        primary key,
    version         bigint      not null,
    counts          bytea       not null              -- in how many messages of each kind each feature was; deflated
);
alter table spam_model
    alter column counts set storage external;
select place('spam_model', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Metrics
------------------------------------------------------------------------------------------------------------------------

-- Running totals of all that is counted, at the end of each minute in which one changed. The value at any time is one
-- look-up by the key, however long the history is.
create table metric_total (
    organization_id uuid        not null,
    scope_id        uuid        not null,             -- an inbox, a pod, or the organization
    minute          timestamptz not null,             -- its beginning
    totals          bigint[]    not null,             -- each kind of metric has a fixed position
    primary key (organization_id, scope_id, minute)
);
select place('metric_total', 'organization_id', 'organization');

-- How far the totals of an organization follow its events.
create table metric_progress (
    organization_id uuid        primary key,
    seq             bigint      not null              -- of the last event that is counted
);
select place('metric_progress', 'organization_id', 'organization');

-- Inboxes, pods and domains that were deleted, for as long as metrics may be asked about a time at which they existed.
create table departure (
    organization_id uuid        not null,
    seq             bigint      not null,             -- from the clock of the organization
    kind            text        not null,             -- inbox, pod, domain
    thing_id        text        not null,
    pod_id          uuid,
    made_at         timestamptz not null,
    at              timestamptz not null,             -- when it was deleted
    messages        bigint,                           -- of an inbox: deleted with it; null: not counted yet
    bytes           bigint,                           -- the same in octets
    threads         bigint,                           -- the same in threads
    primary key (organization_id, seq, kind, thing_id)
);
select place('departure', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Rates
------------------------------------------------------------------------------------------------------------------------

-- Global: token buckets, shared by all nodes. The time at which a bucket will be full again says everything about it.
-- Not logged: after a crash every bucket is full, which does no harm, and no commit waits for the disk.
create unlogged table rate_budget (
    bucket          bytea       primary key,          -- SHA-256 of the name of the rate and of whom it limits
    full_at         bigint      not null,             -- microseconds since 1970
    granted         integer     not null,             -- to the last statement
    capacity        integer     not null,             -- tokens in a full bucket
    step            bigint      not null,             -- microseconds until one more token
    asked_at        bigint      not null              -- microseconds since 1970, of the last statement
);
select place('rate_budget', 'bucket', 'once');

------------------------------------------------------------------------------------------------------------------------
-- Later work
------------------------------------------------------------------------------------------------------------------------

-- Work that is done after the transaction that asks for it. It may be done twice without harm.
create table job (
    organization_id uuid        not null,
    job_id          uuid        not null,
    kind            text        not null,
    subject         text        not null,             -- what it is about; there is one job for a kind and a subject
    due_at          timestamptz not null,             -- also the end of the lease of a node that does it
    attempts        integer     not null default 0,
    created_at      timestamptz not null,
    claimed_by      uuid,                             -- the node that is at it
    primary key (organization_id, job_id)
);
create unique index job_subject on job (organization_id, kind, subject);
create index job_due on job (due_at);
create index job_turn on job (organization_id, due_at);
-- As delivery_claimed.
create index job_claimed on job (claimed_by, organization_id) where claimed_by is not null;
select place('job', 'organization_id', 'organization');

-- Work finds its node (docs/decisions/0074-due-work.md): which organization has work of which kind, and when. Workers
-- look here, and nowhere else; what is due itself is in the tables of the work.
create table due_work (
    organization_id uuid        not null,
    kind            text        not null,             -- change: something was written; a look makes the others
    due_at          timestamptz not null,             -- also the end of the lease of a node that is at it
    primary key (organization_id, kind)
) with (fillfactor = 50);
create index due_work_due on due_work (due_at);
select place('due_work', 'organization_id', 'organization');

-- Global: a running process. Others take over what it claimed when it no longer shows that it is alive.
create table node (
    node_id         uuid        primary key,
    seen_at         timestamptz not null,
    marks           bigint      not null default 0    -- the state that the process goes by, with all that it began
);
select place('node', 'node_id', 'once');

------------------------------------------------------------------------------------------------------------------------
-- The installation
------------------------------------------------------------------------------------------------------------------------

-- Global: what all nodes and commands of this installation share. One row, which the first start makes. Its marks
-- hold a database back as a whole: the processes read them with each sign of life, and say in their own row which
-- they go by.
create table installation (
    name            text        primary key,          -- always inboxd
    installation_id uuid        not null,
    mode            text        not null,             -- dev, production; this and the names are those of the last start
    domain          text        not null,
    mx_host         text        not null,
    bounce_host     text        not null,
    spf_host        text        not null,
    tracking_host   text,                             -- null: opens are not tracked
    public_url      text,                             -- null: it follows from the port of HTTP
    key_check       bytea       not null,             -- the installation_id, sealed
    store_id        uuid        not null,             -- of the blob store, which has it in a marker
    store_marked    boolean     not null,             -- false: the first start was killed before it wrote the marker
    created_at      timestamptz not null,
    marks           bigint      not null default 0,   -- counts the changes of what follows and of organization_mark
    held_at         timestamptz,                      -- since when nothing leaves, until somebody resumes
    held_for        text,                             -- why: hold, restore, move
    read_only_at    timestamptz,                      -- since when nothing is written: the last minutes of a move
    moved_at        timestamptz,                      -- since when this is a copy that must not run
    moved_to        text,                             -- where the service is now
    backup_id       uuid,                             -- the backup that runs, if any
    backup_until    timestamptz                       -- until then no blob is deleted
);
select place('installation', 'name', 'everywhere');

-- Marks of one organization. Few rows, seldom written, read by all.
create table organization_mark (
    organization_id uuid        primary key,
    state           text        not null,              -- held, read_only, moved
    moved_to        text,                              -- where the organization is now, or will be
    at              timestamptz not null
);
select place('organization_mark', 'organization_id', 'everywhere');

-- Global: what one node does for the whole installation, such as the sweep of the store: who is at it, and when it was
-- last done, so that nodes that are started again do not do it again.
create table upkeep (
    name            text        primary key,
    holder          uuid,                             -- the turn that is at it
    held_until      timestamptz,                      -- when others may take it for given up
    done_at         timestamptz
);
select place('upkeep', 'name', 'once');

------------------------------------------------------------------------------------------------------------------------
-- Signing in to apps as an inbox: apps and accounts. Hashes are SHA-256; secrets themselves are stored nowhere.
------------------------------------------------------------------------------------------------------------------------

-- Global: an app that trusts this service as its OpenID provider. Its id is the client_id.
create table app (
    app_id             uuid        primary key,
    slug               text,                          -- unique; app_slug finds it
    name               text        not null,
    search_name        text        not null,          -- the name in lower case
    description        text,
    logo_url           text,
    terms_url          text,
    privacy_url        text,
    categories         text[]      not null,
    listed             boolean     not null,
    enabled            boolean     not null,
    redirect_uris      text[]      not null,
    initiate_login_uri text,
    scopes             text[]      not null,
    client_auth_method text        not null,          -- client_secret_basic, client_secret_post, none
    id_token_alg       text        not null,          -- RS256, ES256
    require_pkce       boolean     not null,
    signup_limit       integer,                       -- accounts that an organization may have; null: any number
    managed_by         text        not null,          -- file, operator
    accounts           bigint      not null,          -- of all organizations; the order of lists
    created_at         timestamptz not null,
    updated_at         timestamptz not null
);
create index app_rank on app (accounts desc, name collate "C", app_id);
create index app_folded_slug on app (replace(slug, '-', ''));
select place('app', 'app_id', 'everywhere');

-- Global: makes slugs unique.
create table app_slug (
    slug            text        primary key,
    app_id          uuid        not null
);
select place('app_slug', 'slug', 'everywhere');

-- Global: the secrets of an app as a client; two may live while one replaces the other.
create table app_secret (
    app_id          uuid        not null,
    secret_id       uuid        not null,
    hash            bytea       not null,
    managed_by      text        not null,             -- file, operator
    created_at      timestamptz not null,
    primary key (app_id, secret_id)
);
select place('app_secret', 'app_id', 'everywhere');

-- The operator's limit for one organization at one app, in place of the app's own.
create table app_signup_limit (
    organization_id uuid        not null,
    app_id          uuid        not null,
    signup_limit    integer,                          -- null: any number
    managed_by      text        not null,             -- file, operator
    primary key (organization_id, app_id)
);
select place('app_signup_limit', 'organization_id', 'organization');

-- An inbox that signed in at an app.
create table account (
    organization_id    uuid        not null,
    account_id         uuid        not null,
    app_id             uuid        not null,
    pod_id             uuid        not null,
    inbox_id           uuid        not null,
    first_signed_in_at timestamptz not null,
    last_signed_in_at  timestamptz not null,
    sign_in_count      bigint      not null,
    disabled_at        timestamptz,                   -- null: the inbox may sign in
    primary key (organization_id, account_id)
);
create unique index account_inbox on account (organization_id, app_id, inbox_id);
create index account_signed_in on account (organization_id, last_signed_in_at, account_id);
select place('account', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Sign-in keys
------------------------------------------------------------------------------------------------------------------------

-- Global: the organization of a public key, by the id that a signature names.
create table public_key (
    api_key_id      uuid        primary key,
    organization_id uuid        not null
);
select place('public_key', 'api_key_id', 'none');

-- What a sign-in key has beside its row in api_key.
create table sign_in_key (
    organization_id   uuid        not null,
    api_key_id        uuid        not null,
    pod_id            uuid        not null,
    inbox_id          uuid        not null,
    app_id            uuid        not null,
    bearer_id         uuid        not null,           -- the key that asked for it, and whose permissions it took
    jti               text,                           -- the transaction that it was made for; null: a link
    accept_disclosure boolean     not null,           -- the bearer accepted what the app is told
    challenge         bytea,                          -- what its maker must sign; null: nobody has begun
    cookie_hash       bytea,                          -- of the browser that began
    created_at        timestamptz not null,
    activated_at      timestamptz,
    primary key (organization_id, api_key_id)
);
create index sign_in_key_bearer on sign_in_key (organization_id, bearer_id, created_at);
select place('sign_in_key', 'organization_id', 'organization');

-- Global: a single-use link to sign in at an app.
create table connect_link (
    hash            bytea       primary key,
    organization_id uuid        not null,
    api_key_id      uuid        not null,             -- the pending key
    expires_at      timestamptz not null,
    used_at         timestamptz
);
create index connect_link_expires on connect_link (expires_at);
select place('connect_link', 'hash', 'none');

-- Answers of connect, for repetitions with the same Idempotency-Key.
create table connect_request (
    organization_id uuid        not null,
    bearer_id       uuid        not null,
    idempotency_key text        not null,
    digest          bytea       not null,             -- of the request
    api_key_id      uuid        not null,
    answer          bytea       not null,             -- sealed: it holds the link
    expires_at      timestamptz not null,
    primary key (organization_id, bearer_id, idempotency_key)
);
alter table connect_request alter column answer set statistics 0;
select place('connect_request', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- The OpenID provider
------------------------------------------------------------------------------------------------------------------------

-- Global: keys that sign ID tokens. A generation has one key for each algorithm.
create table oidc_key (
    alg             text        not null,             -- RS256, ES256
    generation      integer     not null,
    kid             text        not null,
    private_key     bytea       not null,             -- sealed
    signs_from      timestamptz not null,             -- until the next generation signs
    created_at      timestamptz not null,
    primary key (alg, generation)
);
select place('oidc_key', 'alg', 'everywhere');

-- Global: one run of an authorization, from the browser's arrival to the code.
create table oidc_transaction (
    jti             text        primary key,
    cookie_hash     bytea       not null,
    app_id          uuid        not null,
    redirect_uri    text        not null,
    oauth_state     text,                             -- the client's own
    nonce           text,
    scopes          text[]      not null,             -- asked for, and allowed to the app
    code_challenge  text,
    is_consent_due  boolean     not null,             -- prompt=consent
    login_hint      text,
    status          text        not null,             -- waiting, enroll, approved, disclosure, done, denied
    failures        integer     not null default 0,   -- approvals that failed
    organization_id uuid,                             -- bound to an inbox of it
    inbox_id        uuid,
    api_key_id      uuid,                             -- the key that enrolls or approved
    bearer_id       uuid,                             -- the key that bound it to the inbox
    granted         text[],                           -- the scopes of the approval
    consent_hash    bytea,                            -- of the token of the disclosure page
    approved_at     timestamptz,
    expires_at      timestamptz not null
);
create index oidc_transaction_expires on oidc_transaction (expires_at);
select place('oidc_transaction', 'jti', 'none');

-- What was told to an app with the consent of an inbox.
create table oidc_consent (
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    app_id          uuid        not null,
    hash            bytea       not null,             -- of redirect_uri and scopes
    accepted_at     timestamptz not null,
    primary key (organization_id, inbox_id, app_id, hash)
);
select place('oidc_consent', 'organization_id', 'organization');

-- Global: an authorization code.
create table oidc_code (
    hash            bytea       primary key,
    app_id          uuid        not null,
    redirect_uri    text        not null,
    code_challenge  text,
    nonce           text,
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    api_key_id      uuid        not null,
    scopes          text[]      not null,             -- granted
    approved_at     timestamptz not null,
    expires_at      timestamptz not null,
    used_at         timestamptz,
    token_hash      bytea                             -- the token that it gave, which a second use ends
);
create index oidc_code_expires on oidc_code (expires_at);
select place('oidc_code', 'hash', 'none');

-- Global: an access token for userinfo.
create table oidc_token (
    hash            bytea       primary key,
    app_id          uuid        not null,
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    api_key_id      uuid        not null,
    scopes          text[]      not null,
    expires_at      timestamptz not null
);
create index oidc_token_expires on oidc_token (expires_at);
select place('oidc_token', 'hash', 'none');

------------------------------------------------------------------------------------------------------------------------
-- Calendars
------------------------------------------------------------------------------------------------------------------------

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
    changes         bigint      not null default 0,   -- of its events; a feed's tag hangs on it
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
    author_keys       uuid[]      not null default '{}', -- keys that wrote in it
    key_approval      boolean     not null default false, -- one of them needs approval
    primary key (organization_id, event_id)
);
create unique index calendar_event_uid on calendar_event (organization_id, inbox_id, uid);
create index calendar_event_updated on calendar_event (organization_id, inbox_id, updated_at);
create index calendar_event_window on calendar_event (organization_id, inbox_id, span, first_at, last_at);
create index calendar_event_boundary on calendar_event (next_boundary_at) where next_boundary_at is not null;
alter table calendar_event
    alter column content set statistics 0, alter column organizer_email set statistics 0,
    alter column origin_message_id set statistics 0, alter column invited set statistics 0;
create index calendar_event_turn on calendar_event (organization_id, next_boundary_at)
    where next_boundary_at is not null;
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

-- Mails of changes of calendars that are still to be sent, each with those who are to get it. They are stored with the
-- change; a mail leaves the list in the commit that sends it.
create table calendar_mail (
    organization_id uuid        not null,
    operation       text        not null,             -- the event of the change
    method          text        not null,             -- REQUEST, CANCEL, REPLY
    pod_id          uuid        not null,
    inbox_id        uuid        not null,
    subject         text        not null,
    body            text        not null,             -- for people
    calendar        text        not null,             -- iCalendar, for programs
    answers         text,                             -- the Message-ID that it answers
    recipients      text[]      not null,             -- who is still to get it
    author_key      uuid,                             -- the key behind it
    key_approval    boolean     not null default false, -- one of its keys needs approval
    author_keys     uuid[]      not null default '{}', -- keys that wrote in its event
    primary key (organization_id, operation, method)
);
alter table calendar_mail
    alter column subject set statistics 0, alter column body set statistics 0,
    alter column calendar set statistics 0, alter column recipients set statistics 0;
create index calendar_mail_inbox on calendar_mail (organization_id, inbox_id);
select place('calendar_mail', 'organization_id', 'organization');

-- Received mail with a calendar whose author is certain, so that what it says may be taken into the calendar.
create table calendar_message (
    organization_id uuid        not null,
    message_id      uuid        not null,
    author          text        not null,             -- whose word it is
    event_id        text,                             -- what was made or changed by it, as in paths; null: nothing yet
    primary key (organization_id, message_id)
);
select place('calendar_message', 'organization_id', 'organization');

-- A link to a feed. It works as long as the key that made it could make it.
create table calendar_feed (
    organization_id uuid        not null,
    hash            bytea       not null,             -- of the last part of its path
    pod_id          uuid        not null,
    inbox_id        uuid        not null,
    api_key_id      uuid        not null,             -- the key that made it
    created_at      timestamptz not null,
    primary key (organization_id, hash)
);
create index calendar_feed_inbox on calendar_feed (organization_id, inbox_id);
select place('calendar_feed', 'organization_id', 'organization');

-- Global: the organization of a link.
create table calendar_feed_token (
    hash            bytea       primary key,
    organization_id uuid        not null
);
select place('calendar_feed_token', 'hash', 'none');

------------------------------------------------------------------------------------------------------------------------
-- Message security
------------------------------------------------------------------------------------------------------------------------

-- What the screen found in received mail, and mail that is held until somebody releases it. A held message has the
-- label held, and bit 16 in the column restricted of its row.

-- The verdict on a received message, and its release.
create table message_security (
    organization_id  uuid        not null,
    message_id       uuid        not null,
    verdict          text        not null,            -- clear, review
    reasons          text[]      not null,            -- of a review, the most telling first
    model            text        not null,            -- the rules that judged, with their version
    completed_at     timestamptz not null,
    hold             boolean     not null,            -- came in while its organization held mail
    override_id      text,                            -- the event of the release; null: was not released
    released_by      uuid,                            -- an API key, or the user of a session
    released_by_user boolean,
    release_reason   text,
    released_at      timestamptz,
    primary key (organization_id, message_id)
);
alter table message_security alter column release_reason set statistics 0; -- not sampled
select place('message_security', 'organization_id', 'organization');

-- What readers of a message say of its verdict.
create table security_feedback (
    organization_id  uuid        not null,
    message_id       uuid        not null,
    feedback_id      uuid        not null,
    feedback         text        not null,
    notes            text,
    created_at       timestamptz not null,
    primary key (organization_id, message_id, feedback_id)
);
alter table security_feedback alter column notes set statistics 0; -- not sampled
select place('security_feedback', 'organization_id', 'organization');

-- Whom an inbox wrote to or heard from, by the first half of a digest of their addresses.
create table correspondent (
    organization_id  uuid        not null,
    inbox_id         uuid        not null,
    digest           uuid        not null,
    primary key (organization_id, inbox_id, digest)
);
select place('correspondent', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Approvals
------------------------------------------------------------------------------------------------------------------------

-- Recipients to whom mail of an inbox leaves without approval.
create table approval_exemption (
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    address         text        not null,             -- in lower case
    created_at      timestamptz not null,
    primary key (organization_id, inbox_id, address)
);
select place('approval_exemption', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Audit log
------------------------------------------------------------------------------------------------------------------------

-- Who changed what of an organization. Rows are only added, and go when they are old.
create table audit_entry (
    organization_id uuid        not null,
    entry_id        uuid        not null,             -- by time
    at              timestamptz not null,
    actor           text        not null,             -- api_key, user, operator
    actor_id        uuid,                             -- of the key or the session
    actor_name      text,                             -- the name of the key, the address of the person
    action          text        not null,
    target          text,                             -- the public id of what was changed
    details         text,                             -- JSON: which members were given
    address         text,
    request_id      text,
    size            integer     not null default 0,   -- octets that were counted in the storage
    count           integer,                          -- changes that it stands for
    primary key (organization_id, entry_id)
);
alter table audit_entry -- not sampled
    alter column target set statistics 0, alter column details set statistics 0,
    alter column address set statistics 0, alter column request_id set statistics 0;
create index audit_entry_at on audit_entry (at);
select place('audit_entry', 'organization_id', 'organization');

-- How many entries a key or a session has on a day.
create table audit_day (
    organization_id uuid    not null,
    actor_id        uuid    not null,
    day             date    not null,
    entries         integer not null,
    limited_as      uuid,                             -- the entry that counts those beyond the most
    primary key (organization_id, actor_id, day)
);
create index audit_day_day on audit_day (day);
select place('audit_day', 'organization_id', 'organization');

-- The requests of keys.
create table key_request (
    organization_id uuid        not null,
    api_key_id      uuid        not null,
    request_id      text        not null,
    at              timestamptz not null,
    method          text        not null,
    route           text        not null,             -- the template, without the ids of the path
    status          integer     not null,
    code            text,                             -- of an error
    millis          integer     not null,
    address         text        not null,
    primary key (organization_id, api_key_id, request_id)
);
alter table key_request alter column address set statistics 0; -- not sampled
create index key_request_time on key_request (organization_id, api_key_id, at, request_id);
create index key_request_at on key_request (at);
select place('key_request', 'organization_id', 'organization');

-- Calls of keys that sent a message or changed one.
create table message_call (
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    message_id      text        not null,             -- the public id
    request_id      text        not null,
    api_key_id      uuid        not null,
    at              timestamptz not null,
    method          text        not null,
    route           text        not null,             -- the template
    primary key (organization_id, inbox_id, message_id, request_id)
);
create index message_call_at on message_call (at);
select place('message_call', 'organization_id', 'organization');

------------------------------------------------------------------------------------------------------------------------
-- Programs that people let in
------------------------------------------------------------------------------------------------------------------------

-- A program that a person let in (docs/decisions/0071-oauth-for-clients.md): a code first, then the key that it gave.
-- A row is kept as long as its key, so that a code that comes again ends it.
create table oauth_grant (
    organization_id uuid        not null,
    code_hash       bytea       not null,
    client_hash     bytea       not null,             -- of the client_id
    client_name     text        not null,             -- as the person saw it
    redirect_uri    text        not null,
    code_challenge  text        not null,
    session_id      uuid,                             -- of the person; null: the operator at an open console
    inbox_address   text,                             -- null: the whole organization
    access          text        not null,             -- read, write, all
    code_expires_at timestamptz not null,
    used_at         timestamptz,
    replayed        boolean     not null default false,
    api_key_id      uuid,
    expires_at      timestamptz not null,
    primary key (organization_id, code_hash)
);
create index oauth_grant_key on oauth_grant (organization_id, api_key_id);
create index oauth_grant_expires on oauth_grant (expires_at);
select place('oauth_grant', 'organization_id', 'organization');
