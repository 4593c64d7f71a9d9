-- A passkey by which a person signs in to the console (WebAuthn Level 3 §4, credential record).
create table passkey (
    organization_id uuid        not null,
    passkey_id      uuid        not null,
    human_email     text        not null,             -- lower case
    credential_id   bytea       not null,             -- chosen by the authenticator, at most 1,023 octets
    public_key      bytea       not null,             -- attested credential data (WebAuthn §6.5.1)
    counter         bigint      not null,             -- signatures, as the authenticator counts them; 0: it does not
    synced          boolean     not null,             -- whether it may be on several devices
    device          text,                             -- browser and system where it was made
    created_at      timestamptz not null,
    used_at         timestamptz,                      -- when somebody last signed in by it
    challenged_at   timestamptz,                      -- when the challenge of that sign-in was made
    primary key (organization_id, passkey_id)
);
create unique index passkey_credential on passkey (organization_id, credential_id);
select place('passkey', 'organization_id', 'organization');
