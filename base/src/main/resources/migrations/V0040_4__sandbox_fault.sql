-- What fails because somebody asked for it, in development.
create table sandbox_fault (
    organization_id uuid        not null,
    fault_id        uuid        not null,
    terms           text        not null,             -- as JSON
    remaining       integer,                          -- how often it is still met; null: it lasts until ends_at
    ends_at         timestamptz,                      -- by real time
    created_at      timestamptz not null,
    primary key (organization_id, fault_id)
);
select place('sandbox_fault', 'organization_id', 'organization');
