-- Where rows lie on Citus: all tables are placed here, once, after the files before made them on one node. Statistics
-- and storage of a column are refused on a table that is placed already, and those files set them on tables of others,
-- so a start keeps the extension from their sight (docs/decisions/0068-citus.md). On plain PostgreSQL nothing happens.

-- Distributes a table by a column where Citus is installed. The mate is a table whose rows lie on the same node; or
-- 'none'; or 'everywhere' for a copy on each node: a table that is small, seldom changes and is read much; or 'once' for
-- one node: a table that is small and changes often.
create or replace function place(placed regclass, distribution_column text, mate text default 'default') returns void
language plpgsql as $$
begin
    perform expect_few(placed, 'organization_id', 1);
    perform expect_few(placed, 'pod_id', 2);
    perform expect_few(placed, 'inbox_id', 10);
    perform expect_few(placed, 'webhook_id', 10);
    if not exists (select 1 from pg_catalog.pg_extension where extname = 'citus') then
        return;
    end if;
    if mate = 'everywhere' then
        execute format('select create_reference_table(%L)', placed::text);
    elsif mate = 'once' then
        execute format('select create_distributed_table(%L, null, colocate_with => %L)', placed::text, 'none');
    else
        execute format('select create_distributed_table(%L, %L, colocate_with => %L)',
                       placed::text, distribution_column, mate);
    end if;
end
$$;

do $$
declare
    made record;
begin
    if not exists (select 1 from pg_catalog.pg_extension where extname = 'citus') then
        return;
    end if;
    for made in
        select c.oid::regclass as name, a.attname::text as key,
            case
                when c.relname = 'organization' then 'default'
                when a.attname = 'organization_id' then 'organization'
                when c.relname in ('domain_holder', 'address', 'human', 'signing_key', 'session_key', 'installation', 'oidc_key',
                                   'app', 'app_slug', 'app_secret') then 'everywhere'
                when c.relname in ('node', 'rate_budget', 'domain_family', 'sts_policy') then 'once'
                else 'none'
            end as mate
        from pg_class c
        join pg_index x on x.indrelid = c.oid and x.indisprimary
        join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'flyway_schema_history'
        order by c.relname <> 'organization', c.oid
    loop
        perform place(made.name, made.key, made.mate);
    end loop;
end
$$;
