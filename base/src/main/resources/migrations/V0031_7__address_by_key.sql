-- On Citus an address lies by its key, and not as a copy on every node: an inbox is made on the nodes of its organization
-- and of its address, and not in a commit on all of them (docs/decisions/0068-citus.md). So it is in a cluster that has
-- no address yet. The version before this one reads a cluster's addresses beside other tables, which needs the copies: a
-- cluster in use keeps them until its operator moves them (docs/operating/citus.md). On plain PostgreSQL nothing happens.
do $$
begin
    if not exists (select 1 from pg_catalog.pg_extension where extname = 'citus')
       or exists (select 1 from address) then
        return;
    end if;
    drop table address;
    create table address (
        address         text        primary key,
        organization_id uuid        not null,
        inbox_id        uuid,
        changed_at      timestamptz not null
    );
    perform place('address', 'address', 'none');
end
$$;
