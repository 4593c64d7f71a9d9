-- The audit log counts in the storage of the organization. A node of an earlier revision counts nothing, and has no
-- bound on its entries.
alter table audit_entry
    add column size  integer not null default 0,      -- octets that were counted in the storage
    add column count integer;                         -- changes that it stands for

-- How many entries a key or a session has on a day.
create table audit_day (
    organization_id uuid    not null,
    actor_id        uuid    not null,
    day             date    not null,
    entries         integer not null,
    limited_as      uuid,                             -- the entry that counts those beyond the most
    primary key (organization_id, actor_id, day)
);
create index audit_day_day on audit_day (day);
select place('audit_day', 'organization_id', 'organization');
