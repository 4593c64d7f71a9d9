-- Who answers in a thread, and until when. Secret ids of claims lie here as they are: each is good for a day at most, and
-- for keys alone that may answer there anyway.
create table thread_claim (
    organization_id uuid        not null,
    claim_id        text        not null,
    inbox_id        uuid        not null,
    thread_id       uuid        not null,
    message_name    text,                             -- what was claimed; null: the thread itself
    worker          text,                             -- what its holder calls itself
    holder_id       uuid        not null,             -- the key or session that made it
    holder          text        not null,             -- key, session, account
    bound           boolean     not null,             -- whether no other key may use it
    held            boolean     not null,             -- false: it has ended before its time
    created_at      timestamptz not null,
    expires_at      timestamptz not null,
    primary key (organization_id, claim_id)
);
select place('thread_claim', 'organization_id', 'organization');
create unique index thread_claim_held on thread_claim (organization_id, thread_id) where held;
create index thread_claim_inbox on thread_claim (organization_id, inbox_id, expires_at);
create index thread_claim_expires on thread_claim (expires_at);

alter table inbox add column reply_once boolean not null default false; -- a message gets one answer

-- Sent mail that says that a machine wrote it (RFC 3834) is no answer; null: of before, or of a person.
alter table message add column automatic boolean;

alter table draft add column claim_id text;           -- shown when it is sent
alter table draft add column keep_claim boolean;
alter table draft add column if_unanswered boolean;
alter table draft add column cancel_on_reply boolean;
alter table draft add column cancel_thread uuid;      -- mail in this thread ends its schedule
alter table draft add column cancel_to text[];        -- so does mail in the threads of what was sent to these
