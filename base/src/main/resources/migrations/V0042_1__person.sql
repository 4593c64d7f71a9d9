-- A person of an organization; whoever is behind one without a row, as earlier revisions left them, owns it.
create table person (
    organization_id uuid        not null,
    human_email     text        not null,             -- lower case
    role            text        not null,             -- read, approve, own
    since           timestamptz not null,             -- when the person was named or invited
    seen_at         timestamptz,                      -- when the person was last at the console, by ten minutes
    primary key (organization_id, human_email)
);
select place('person', 'organization_id', 'organization');
