-- Approvals: mail that waits until somebody lets it leave; the stop of all that leaves; who did what.

-- Two permissions that "unrestricted" does not include, and keys of which nothing leaves without approval.
alter table api_key add column draft_approve boolean not null default false;
alter table api_key add column audit_read    boolean not null default false;
alter table api_key add column send_approval boolean not null default false;
alter table inbox   add column send_approval boolean not null default false;

-- Since when nothing leaves; null: mail leaves.
alter table organization add column sending_stopped_at timestamptz;
alter table pod          add column sending_stopped_at timestamptz;
create index organization_stopped on organization (organization_id) where sending_stopped_at is not null;
create index pod_stopped on pod (organization_id, pod_id) where sending_stopped_at is not null;

-- What waits for approval is a draft, with the ids that its message will have.
alter table draft add column author_key    uuid;          -- the key that wrote it; null: a person, or one of before
alter table draft add column key_approval  boolean not null default false; -- a key that needs approval wrote or sent it
alter table draft add column approval      text;          -- awaiting, rejected; null: nobody was asked
alter table draft add column approval_note text;          -- of a rejection
alter table draft add column asked_by      uuid;          -- the key that asked to send it; null: a person, or its schedule
alter table draft add column asked_at      timestamptz;
alter table draft add column message_uuid  uuid;          -- makes the Message-ID
alter table draft add column message_name  text;          -- the public id that its message will have
alter table draft add column thread_id     uuid;          -- the thread that its message will be in
alter table draft add column specifics     text;          -- JSON: what a draft cannot say otherwise
alter table draft
    alter column approval_note set statistics 0, alter column specifics set statistics 0;
create index draft_message on draft (organization_id, inbox_id, message_name) where message_name is not null;

-- The answer to a send that waits names its draft.
alter table send_memory add column draft_id uuid;

-- The key behind a calendar's mail, which is sent later.
alter table calendar_mail add column author_key   uuid;
alter table calendar_mail add column key_approval boolean not null default false;

-- Recipients to whom mail of an inbox leaves without approval.
create table approval_exemption (
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    address         text        not null,             -- in lower case
    created_at      timestamptz not null,
    primary key (organization_id, inbox_id, address)
);
select place('approval_exemption', 'organization_id', 'organization');
