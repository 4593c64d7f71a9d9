-- What is shown and never searched by needs no figures of the planner: to compare and count the longest values of each sample
-- was most of what new figures cost. Whoever looks for a message finds it by keys, labels and times, which keep theirs.
do $$
declare
    shown constant text[][] := array[
        ['message', 'sender'], ['message', 'recipients_to'], ['message', 'recipients_cc'], ['message', 'recipients_bcc'],
        ['message', 'subject'], ['message', 'preview'], ['message', 'size'], ['message', 'attachments'],
        ['message', 'updated_at'],
        ['thread', 'senders'], ['thread', 'recipients'], ['thread', 'subject'], ['thread', 'preview'],
        ['thread', 'last_message'], ['thread', 'message_count'], ['thread', 'size'], ['thread', 'attachments'],
        ['thread', 'updated_at'],
        ['message_content', 'raw'], ['message_content', 'header_size'], ['message_content', 'shown'],
        ['message_content', 'bodies'], ['message_content', 'sha256'],
        ['event', 'message_name'], ['event', 'messages'], ['event', 'bytes'], ['event', 'threads'],
        ['search_text', 'content'], ['search_block', 'content'],
        ['delivery_attempt', 'error'], ['delivery_attempt', 'millis'], ['delivery_attempt', 'answer']];
    pair text[];
begin
    foreach pair slice 1 in array shown loop
        execute format('alter table %I alter column %I set statistics 0', pair[1], pair[2]);
    end loop;
exception when feature_not_supported then
    raise notice 'the planner keeps its figures of what is shown: %', sqlerrm; -- on distributed tables
end
$$;
