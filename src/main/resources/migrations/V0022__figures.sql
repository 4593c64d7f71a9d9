-- The planner keeps no figures of what mail says (docs/decisions/0050-figures-of-the-planner.md): nothing is found by it in SQL,
-- to compare and count the longest values of each sample was most of what new figures cost, and the most common of them
-- stayed behind in pg_statistic when the mail was deleted. What statements look for keeps its figures.
do $$
declare
    said record;
begin
    for said in
        select c.relname, a.attname
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
        where a.attnum > 0 and not a.attisdropped and (
            a.attname in ('subject', 'preview', 'sender', 'senders', 'recipients', 'recipients_to', 'recipients_cc',
                          'recipients_bcc', 'reply_to', 'last_message', 'text_body', 'html_body', 'raw', 'shown', 'bodies',
                          'content', 'text', 'filename', 'media_type', 'content_id', 'payload', 'answer', 'last_error',
                          'last_reply', 'reference_ids')
            or c.relname = 'event' and a.attname in ('message_name', 'messages', 'bytes', 'threads')
            or c.relname = 'message' and a.attname in ('size', 'attachments', 'updated_at')
            or c.relname = 'thread' and a.attname in ('size', 'attachments', 'updated_at', 'message_count')
            or c.relname = 'message_content' and a.attname in ('header_size', 'sha256')
            or c.relname = 'delivery_attempt' and a.attname in ('error', 'millis'))
            and (c.relname, a.attname) <> ('job', 'subject')
    loop
        execute format('alter table %I alter column %I set statistics 0', said.relname, said.attname);
    end loop;
exception when feature_not_supported then
    raise notice 'the planner takes figures of what mail says: %', sqlerrm; -- on distributed tables
end
$$;

-- What was taken of it before goes.
do $$
begin
    delete from pg_statistic s using pg_attribute a
    where a.attrelid = s.starelid and a.attnum = s.staattnum and a.attstattarget = 0;
exception when insufficient_privilege then
    raise notice 'older figures of what mail says stay: %', sqlerrm; -- only a superuser may
end
$$;
