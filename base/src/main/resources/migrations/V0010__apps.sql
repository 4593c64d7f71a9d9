-- Signing in to apps as an inbox: the apps that the operator registered, the accounts of inboxes there, and what one
-- run of a sign-in holds. Hashes are SHA-256; secrets themselves are stored nowhere.

-- As in V0001, and with the mate 'everywhere' a table is copied to every node: one that is small and seldom changes, so
-- that it can be joined with the rows of any organization, and locked as a whole.
create or replace function place(placed regclass, distribution_column text, mate text default 'default') returns void
language plpgsql as $$
begin
    perform expect_few(placed, 'organization_id', 1);
    perform expect_few(placed, 'pod_id', 2);
    perform expect_few(placed, 'inbox_id', 10);
    perform expect_few(placed, 'webhook_id', 10);
    if exists (select 1 from pg_extension where extname = 'citus') then
        if mate = 'everywhere' then
            execute format('select create_reference_table(%L)', placed::text);
        else
            execute format('select create_distributed_table(%L, %L, colocate_with => %L)',
                           placed::text, distribution_column, mate);
        end if;
    end if;
end
$$;

------------------------------------------------------------------------------------------------------------------------
-- Apps
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

-- null: a key that was made by POST /v0/api-keys; pending, active: a sign-in key
alter table api_key add column status text;

-- Global: the organization of a public key, by the id that a signature names.
create table public_key (
    api_key_id      uuid        primary key,
    organization_id uuid        not null
);
select place('public_key', 'api_key_id', 'none');
insert into public_key (api_key_id, organization_id)
select k.api_key_id, k.organization_id from api_key k where k.public_key is not null;

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
