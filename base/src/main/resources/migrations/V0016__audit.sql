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
    primary key (organization_id, entry_id)
);
alter table audit_entry -- not sampled
    alter column target set statistics 0, alter column details set statistics 0,
    alter column address set statistics 0, alter column request_id set statistics 0;
create index audit_entry_at on audit_entry (at);
select place('audit_entry', 'organization_id', 'organization');

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
