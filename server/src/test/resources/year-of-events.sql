-- A year of an organization: ORGANIZATION, POD, INBOX, EVENTS. Each message has ten events: its arrival, and labels that
-- are added and removed. All of it is read by the search and the totals already.
create temporary table year as
select i, gen_random_uuid() as message_id, gen_random_uuid() as thread_id,
       now() - interval '365 days' + i * (interval '364 days' / (EVENTS / 10)) as at
from generate_series(1, EVENTS / 10) as i;

insert into thread (organization_id, thread_id, inbox_id, pod_id, labels, restricted, senders, recipients, subject,
    preview, last_message, message_count, size, attachments, at, received_at, created_at, updated_at)
select 'ORGANIZATION', y.thread_id, 'INBOX', 'POD', array['received'], 0, array['jo@year.test'], array['me@year.test'],
    'Message ' || y.i, 'Hello', '<' || y.i || '@year.test>', 1, 600, 0, y.at, y.at, y.at, y.at
from year y;

insert into message (organization_id, message_id, inbox_id, pod_id, thread_id, name, labels, restricted, outgoing, sender,
    recipients_to, subject, preview, size, attachments, created_at, updated_at)
select 'ORGANIZATION', y.message_id, 'INBOX', 'POD', y.thread_id, '<' || y.i || '@year.test>', array['received'], 0, false,
    'jo@year.test', array['me@year.test'], 'Message ' || y.i, 'Hello', 600, 0, y.at, y.at
from year y;

insert into message_content (organization_id, message_id, inbox_id, raw, header_size, sha256)
select 'ORGANIZATION', y.message_id, 'INBOX',
    convert_to(E'From: jo@year.test\r\nTo: me@year.test\r\nSubject: Message ' || y.i || E'\r\n\r\n' || repeat(md5(y.i::text), 16)
        || E'\r\n', 'UTF8'),
    60, decode(md5(y.i::text), 'hex')
from year y;

insert into event (organization_id, seq, at, type, pod_id, inbox_id, thread_id, message_id, message_name, labels,
    restricted, messages, bytes, threads)
select 'ORGANIZATION', 20 * y.i + 2 * j, y.at + j * interval '1 millisecond',
    case when j = 0 then 'message.received' when j % 2 = 1 then 'label.added' else 'label.removed' end,
    'POD', 'INBOX', y.thread_id, y.message_id, '<' || y.i || '@year.test>',
    case when j = 1 then array['received'] when j > 1 then array['step ' || j / 2] end, 0,
    case when j = 0 then 1 end, case when j = 0 then 600 end, case when j = 0 then 1 end
from year y cross join generate_series(0, 9) as j
order by y.i, j;

insert into metric_total (organization_id, scope_id, minute, totals)
select 'ORGANIZATION', s.scope_id, date_trunc('minute', y.at),
    array[max(y.i), 0, 0, 0, 0, 0, 0, 0, 0, 0, max(y.i) * 600, max(y.i), max(y.i), 0, 0, 0]::bigint[]
from year y cross join (values ('ORGANIZATION'::uuid), ('POD'::uuid), ('INBOX'::uuid)) as s (scope_id)
group by s.scope_id, date_trunc('minute', y.at);

update organization_clock set event_seq = 20 * (EVENTS / 10) + 100, messages = EVENTS / 10, bytes = EVENTS / 10 * 600
where organization_id = 'ORGANIZATION';
insert into search_progress (organization_id, seq) values ('ORGANIZATION', 20 * (EVENTS / 10) + 100)
on conflict (organization_id) do update set seq = excluded.seq;
insert into metric_progress (organization_id, seq) values ('ORGANIZATION', 20 * (EVENTS / 10) + 100)
on conflict (organization_id) do update set seq = excluded.seq;
