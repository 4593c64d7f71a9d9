-- What holds a database back as a whole: nothing leaves, nothing is written, or it has moved. The processes read it
-- with each sign of life, and say in their own row which state they go by.
alter table installation
    add column marks        bigint not null default 0, -- counts the changes of what follows and of organization_mark
    add column held_at      timestamptz,               -- since when nothing leaves, until somebody resumes
    add column held_for     text,                      -- why: hold, restore, move
    add column read_only_at timestamptz,               -- since when nothing is written: the last minutes of a move
    add column moved_at     timestamptz,               -- since when this is a copy that must not run
    add column moved_to     text;                      -- where the service is now
alter table node add column marks bigint not null default 0; -- the state that the process goes by, with all that it began

-- The same of one organization. Few rows, seldom written, read by all.
create table organization_mark (
    organization_id uuid        primary key,
    state           text        not null,              -- held, read_only, moved
    moved_to        text,                              -- where the organization is now, or will be
    at              timestamptz not null
);
select place('organization_mark', 'organization_id', 'everywhere');
