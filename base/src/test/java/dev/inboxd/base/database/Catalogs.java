package dev.inboxd.base.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A schema as PostgreSQL's catalogs have it, as text: sorted by name, and the same from PostgreSQL 15 to 18. */
public final class Catalogs {
    /** Tables, and what belongs to them: for each the order and the text of its line. Flyway's table is left out. */
    private static final String OBJECTS = """
            with class as (
                select c.*, c.relname::text collate "C" as name
                from pg_class c
                where c.relnamespace = current_schema()::regnamespace and c.relname !~ '^flyway_schema_history'
            ), class_line as (
                select r.name as object, 0 as rank, '' as item,
                    case r.relkind when 'r' then 'table' when 'v' then 'view' when 'm' then 'materialized view'
                        when 'S' then 'sequence' else 'relation of kind ' || r.relkind::text end || ' ' || r.name
                    || case r.relpersistence when 'u' then ' unlogged' else '' end
                    || case r.relrowsecurity when true then ' with row security' else '' end
                    || case r.relforcerowsecurity when true then ' forced' else '' end
                    || case when r.relreplident in ('f', 'i') then ' replica identity ' || r.relreplident::text
                        else '' end
                    || coalesce(' with (' || (select string_agg(o, ', ' order by o)
                                              from unnest(r.reloptions) o) || ')', '')
                    || coalesce(' toast with (' || (select string_agg(o, ', ' order by o)
                                                    from pg_class t, unnest(t.reloptions) o
                                                    where t.oid = r.reltoastrelid) || ')', '')
                    || coalesce(' granted ' || r.relacl::text, '') as line
                from class r where r.relkind not in ('i', 'I')
            ), column_line as (
                select r.name, 1, a.attname,
                    'column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
                    || case when a.attcollation <> t.typcollation then ' collate ' || a.attcollation::regcollation
                        else '' end
                    || case when a.attnotnull then ' not null' else '' end
                    || case a.attidentity when '' then '' else ' identity ' || a.attidentity::text end
                    || case a.attgenerated when '' then '' else ' generated ' || a.attgenerated::text end
                    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
                    || case when a.attstorage = t.typstorage then '' else ' storage ' || case a.attstorage
                        when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end end
                    || case a.attcompression when '' then '' else ' compression ' || a.attcompression::text end
                    || case when a.attstattarget >= 0 then ' statistics ' || a.attstattarget else '' end
                    -- Some minor releases (15.20 is one) keep a mark of their own among the options.
                    || coalesce(' with (' || (select string_agg(o, ', ' order by o) from unnest(a.attoptions) o
                                              where o !~ '^pg_attver=') || ')', '')
                    || coalesce(' granted ' || a.attacl::text, '')
                from class r
                join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
                join pg_type t on t.oid = a.atttypid
                left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
                where r.relkind not in ('i', 'I', 'S')
            ), constraint_line as (
                -- From 18 on "not null" is a constraint too; the line of the column says it.
                select r.name, 2, c.conname, 'constraint ' || c.conname || ' ' || pg_get_constraintdef(c.oid)
                from class r join pg_constraint c on c.conrelid = r.oid and c.contype <> 'n'
            ), index_line as (
                select r.name, 3, i.relname, 'index ' || pg_get_indexdef(x.indexrelid)
                    || case when x.indisvalid then '' else ' invalid' end
                    || coalesce((select string_agg(' statistics ' || a.attnum || ' ' || a.attstattarget, ''
                                                   order by a.attnum)
                                 from pg_attribute a where a.attrelid = i.oid and a.attstattarget >= 0), '')
                from class r join pg_index x on x.indrelid = r.oid join pg_class i on i.oid = x.indexrelid
            ), policy_line as (
                select r.name, 4, p.polname, 'policy ' || p.polname || ' for ' || p.polcmd::text
                    || case when p.polpermissive then '' else ' restrictive' end
                    || ' to ' || p.polroles::regrole[]::text
                    || coalesce(' using ' || pg_get_expr(p.polqual, r.oid), '')
                    || coalesce(' with check ' || pg_get_expr(p.polwithcheck, r.oid), '')
                from class r join pg_policy p on p.polrelid = r.oid
            ), trigger_line as (
                select r.name, 5, t.tgname, 'trigger ' || pg_get_triggerdef(t.oid) || ' enabled ' || t.tgenabled::text
                from class r join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
            ), rule_line as (
                select r.name, 6, w.rulename, 'rule ' || pg_get_ruledef(w.oid)
                from class r join pg_rewrite w on w.ev_class = r.oid and r.relkind = 'r'
            ), statistics_line as (
                select r.name, 7, s.stxname, 'statistics ' || pg_get_statisticsobjdef(s.oid)
                from class r join pg_statistic_ext s on s.stxrelid = r.oid
            )
            """;

    /** What belongs to no table. The body of a function is compared without its comments and line breaks. */
    private static final String OTHERS = """
            , function_line as (
                select p.proname::text, 10, pg_get_function_identity_arguments(p.oid), 'function ' || p.proname || '('
                    || pg_get_function_arguments(p.oid) || ')'
                    || coalesce(' returns ' || pg_get_function_result(p.oid), '')
                    || ' language ' || l.lanname || ' kind ' || p.prokind::text || ' ' || p.provolatile::text
                    || p.proparallel::text || case when p.proisstrict then ' strict' else '' end
                    || case when p.prosecdef then ' security definer' else '' end
                    || coalesce(' set ' || p.proconfig::text, '')
                    || coalesce(' granted ' || p.proacl::text, '') || ' as '
                    || trim(regexp_replace(regexp_replace(p.prosrc, '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g'))
                from pg_proc p join pg_language l on l.oid = p.prolang
                where p.pronamespace = current_schema()::regnamespace
                    and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
            ), type_line as (
                select t.typname::text, 11, '', 'type ' || t.typname || ' kind ' || t.typtype::text
                    || coalesce(' of ' || (select string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_enum e
                                           where e.enumtypid = t.oid), '')
                    || case when t.typbasetype = 0 then '' else ' of ' || format_type(t.typbasetype, t.typtypmod) end
                from pg_type t where t.typnamespace = current_schema()::regnamespace and t.typtype in ('d', 'e', 'r')
            ), extension_line as (
                select e.extname::text, 12, '', 'extension ' || e.extname from pg_extension e
            ), setting_line as (
                select coalesce(r.rolname, '')::text, 13, '', 'setting for '
                    || coalesce('role ' || r.rolname, 'the database') || ' ' || s.setconfig::text
                from pg_db_role_setting s left join pg_roles r on r.oid = s.setrole
                where s.setdatabase = (select oid from pg_database where datname = current_database())
            )
            select case when rank in (0, 10, 11, 12, 13) then '' else '    ' end || line as line from (
                select * from class_line union all select * from column_line union all select * from constraint_line
                union all select * from index_line union all select * from policy_line
                union all select * from trigger_line union all select * from rule_line
                union all select * from statistics_line
                union all select * from function_line union all select * from type_line
                union all select * from extension_line union all select * from setting_line) as all_lines
            order by case when rank < 10 then 0 else rank end, object collate "C", rank,
                item::text collate "C", line collate "C"
            """;

    private Catalogs() {}

    /** Everything in the schema of a database that is no row. */
    public static String of(Database.Location location) {
        StringBuilder text = new StringBuilder();
        try (Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(OBJECTS + OTHERS)) {
            while (rows.next()) {
                text.append(rows.getString("line")).append('\n');
            }
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
        return text.toString();
    }
}
