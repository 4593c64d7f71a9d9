-- That something waits for the people of an organization, and not everybody was told of it by mail.
create table review_notice (
    organization_id uuid        primary key,
    since           timestamptz not null,             -- when the newest of it began to wait
    due_at          timestamptz not null              -- when it is looked whom to tell
);
select place('review_notice', 'organization_id', 'organization');

-- What is known of a person who is told.
create table review_reader (
    organization_id uuid        not null,
    human_email     text        not null,             -- lower case
    told_at         timestamptz,                      -- when the last mail went
    looked_at       timestamptz,                      -- when the person last looked at what waits
    muted           boolean     not null,             -- wants no such mail
    primary key (organization_id, human_email)
);
select place('review_reader', 'organization_id', 'organization');
