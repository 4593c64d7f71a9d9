-- The planner keeps no figures of what mail says and whom it is for (docs/decisions/0050-figures-of-the-planner.md): no index is
-- of it and no plan depends on it, to compare and count the longest values of each sample was most of what new figures cost, and
-- the most common of them stayed behind in pg_statistic when the mail was deleted. What statements look for keeps its figures.
do $$
declare
    said record;
begin
    for said in
        select t.table_name, c.column_name
        from (values
            ('message', 'sender recipients_to recipients_cc recipients_bcc subject preview size attachments updated_at'),
            ('message_content', 'raw header_size shown bodies sha256'),
            ('thread', 'senders recipients subject preview last_message message_count size attachments updated_at'),
            ('attachment', 'filename media_type content_id text'),
            ('event', 'message_name details messages bytes threads'),
            ('event_thread', 'senders recipients subject preview last_message'),
            ('draft', 'recipients_to recipients_cc recipients_bcc reply_to subject preview text_body html_body in_reply_to'
                || ' forward_of reference_ids'),
            ('draft_attachment', 'filename media_type content_id raw'),
            ('submission', 'reverse_path raw envid'),
            ('submission_recipient', 'recipient orcpt last_reply'),
            ('delivery', 'payload last_error'),
            ('delivery_attempt', 'error millis answer'),
            ('search_text', 'content'),
            ('search_block', 'content')) as t (table_name, columns)
        cross join lateral regexp_split_to_table(t.columns, ' ') as c (column_name)
    loop
        execute format('alter table %I alter column %I set statistics 0', said.table_name, said.column_name);
        -- What was taken of it before goes: from PostgreSQL 18 on the owner may say so, before that only a superuser.
        if to_regproc('pg_clear_attribute_stats') is not null then
            execute 'select pg_clear_attribute_stats($1, $2, $3, false)'
                using current_schema()::text, said.table_name, said.column_name;
        end if;
    end loop;
exception when feature_not_supported then
    raise notice 'the planner takes figures of what mail says: %', sqlerrm; -- on distributed tables
end
$$;

do $$
begin
    delete from pg_statistic s using pg_attribute a, pg_class c
    where a.attrelid = s.starelid and a.attnum = s.staattnum and a.attstattarget = 0
        and c.oid = a.attrelid and c.relnamespace = (select oid from pg_namespace where nspname = current_schema());
exception when insufficient_privilege then
    null; -- gone already, or until somebody who may does the same
end
$$;
