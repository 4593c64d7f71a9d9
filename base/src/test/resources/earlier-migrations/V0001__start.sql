create table organization (
    organization_id uuid        primary key,
    created_at      timestamptz not null
);
insert into organization values ('00000000-0000-0000-0000-000000000001', '2026-01-01 00:00:00+00');
