-- A person of an organization, or who is invited to it.
create table person (
    organization_id uuid        not null,
    human_email     text        not null,             -- lower case
    role            text        not null,             -- read, approve, own
    since           timestamptz not null,             -- when the person was named or invited
    seen_at         timestamptz,                      -- when the person was last at the console, by ten minutes
    invited_at      timestamptz,                      -- of an invitation that nobody has accepted by signing in; null: none
    primary key (organization_id, human_email)
);
create index person_invited on person (human_email, invited_at) where invited_at is not null;
select place('person', 'organization_id', 'organization');
