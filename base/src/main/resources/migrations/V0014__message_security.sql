-- Message security: what the screen found in received mail, and mail that is held until somebody releases it. A held
-- message has the label held, and bit 16 in the column restricted of its row.
alter table organization add column message_security text;          -- off, monitor, hold; null: the server's

-- The permission to release held mail, which "unrestricted" does not include.
alter table api_key add column message_release boolean not null default false;
update api_key set message_release = true, permissions = array_remove(permissions, 'message_release')
    where 'message_release' = any (permissions);

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

-- Whether nobody wrote to or heard from the author before; null: sent, or not known.
alter table message add column first_contact boolean;
-- Whether the correspondents of an inbox are known from its beginning; inboxes of before do not know all of them.
alter table inbox add column correspondents_known boolean not null default false;
alter table inbox alter column correspondents_known set default true;
