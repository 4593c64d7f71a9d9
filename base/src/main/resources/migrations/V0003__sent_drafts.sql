-- What became of a draft: why its scheduled send failed, and the message that it is now.
alter table draft add column send_error text;           -- a sentence for its owner; only of a failed one
alter table draft alter column send_error set statistics 0;

-- The message of a draft that was sent. The draft's own row is gone with the commit of the message.
create table sent_draft (
    organization_id uuid        not null,
    draft_id        uuid        not null,
    message_id      uuid        not null,             -- internal
    primary key (organization_id, draft_id)
);
create unique index sent_draft_message on sent_draft (organization_id, message_id);
select place('sent_draft', 'organization_id', 'organization');
