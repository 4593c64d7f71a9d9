-- What clients said of received messages by putting the label spam on or off, and as what each was learned. A message is
-- learned once; when it is marked otherwise, what was learned of it is taken back first.
create table spam_mark (
    organization_id uuid        not null,
    message_id      uuid        not null,
    spam            boolean     not null,             -- as what it is marked
    learned         boolean,                          -- as what it was learned; null before
    primary key (organization_id, message_id)
);
create index spam_mark_due on spam_mark (organization_id) where learned is distinct from spam;
select place('spam_mark', 'organization_id', 'organization');

-- How many messages of each kind had each feature: fixed in size, whatever is learned, and of nobody else's mail.
create table spam_model (
    organization_id uuid        primary key,
    version         bigint      not null,
    counts          bytea       not null              -- deflated
);
alter table spam_model alter column counts set storage external;
select place('spam_model', 'organization_id', 'organization');
