-- From where on the log of an organization is kept, where INBOXD_RETENTION says for how long. An organization without a
-- row has its whole log. It is told of here before the first event goes (docs/decisions/0079-events-age.md).
create table event_horizon (
    organization_id uuid        primary key,
    seq             bigint      not null,             -- events up to this number are not kept
    moved_at        timestamptz not null
);
select place('event_horizon', 'organization_id', 'organization');

-- A fifth of a year's log is much to let lie before the first vacuum.
alter table event set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
