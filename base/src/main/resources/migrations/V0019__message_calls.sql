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
