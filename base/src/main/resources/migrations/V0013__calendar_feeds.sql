-- Links to feeds of calendars. Hashes are SHA-256; the links themselves are stored nowhere.

alter table calendar add column changes bigint not null default 0; -- of its events; a feed's tag hangs on it

-- A link. It works as long as the key that made it could make it.
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
