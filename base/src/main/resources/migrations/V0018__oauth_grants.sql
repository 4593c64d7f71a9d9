-- That people let programs in (docs/decisions/0071-oauth-for-clients.md): a code first, then the key that it gave. A row is
-- kept as long as its key, so that a code that comes again ends it.
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
