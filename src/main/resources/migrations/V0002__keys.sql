-- Public keys beside bearer keys; humans who sign in, and their sessions.

alter table api_key alter column prefix drop not null;    -- of a bearer key
alter table api_key alter column hash drop not null;      -- of a bearer key
alter table api_key add column public_key bytea;          -- a point on P-256, x and y; null: a bearer key
alter table api_key add column client_id text;            -- of a public key
alter table api_key add column created_by uuid;           -- of a public key: the bearer key that registered it
create unique index api_key_client on api_key (organization_id, client_id) where client_id is not null;
create index api_key_expires on api_key (expires_at) where expires_at is not null;

alter table organization add column human_changes integer not null default 0;
alter table human add column user_id uuid;                -- given at the first sign-in

create table session_key (
    kid             text        primary key,
    private_key     bytea       not null,                 -- sealed JWK
    created_at      timestamptz not null
);
select place('session_key', 'kid', 'none');

create table sign_in_code (
    organization_id uuid        not null,
    human_email     text        not null,
    code_mac        bytea       not null,
    expires_at      timestamptz not null,
    attempts        integer     not null,
    primary key (organization_id, human_email)
);
select place('sign_in_code', 'organization_id', 'organization');

create table console_session (
    organization_id uuid        not null,
    session_id      uuid        not null,
    human_email     text        not null,
    created_at      timestamptz not null,
    expires_at      timestamptz not null,
    primary key (organization_id, session_id)
);
select place('console_session', 'organization_id', 'organization');
