-- How much an organization keeps, counted in the row that each of its commits writes anyway (promises.md A43).
alter table organization_clock
    add column messages bigint not null default 0,
    add column bytes    bigint not null default 0;                 -- of messages, and of drafts with their files

update organization_clock k set messages = m.messages, bytes = m.bytes
from (select organization_id, count(*) as messages, sum(size)::bigint as bytes from message group by organization_id) as m
where m.organization_id = k.organization_id;

update organization_clock k set bytes = k.bytes + d.bytes
from (select organization_id, sum(coalesce(octet_length(text_body), 0) + coalesce(octet_length(html_body), 0))::bigint
          as bytes from draft group by organization_id) as d
where d.organization_id = k.organization_id;

update organization_clock k set bytes = k.bytes + f.bytes
from (select organization_id, sum(size)::bigint as bytes from draft_attachment group by organization_id) as f
where f.organization_id = k.organization_id;
