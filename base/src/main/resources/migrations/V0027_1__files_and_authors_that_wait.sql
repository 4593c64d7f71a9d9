-- Files by URL that are fetched when their draft leaves, and every key that wrote in what waits.

-- Until then such a file has no octets.
alter table draft_attachment add column url text;
alter table draft_attachment alter column url set statistics 0;
alter table draft_attachment drop constraint draft_attachment_check;
alter table draft_attachment add constraint draft_attachment_check check (num_nonnulls(raw, blob, url) = 1);

-- Keys that wrote in it. One of before has author_key alone.
alter table draft add column author_keys uuid[] not null default '{}';

-- Keys that wrote in an event, and in the mail that tells of it.
alter table calendar_event add column author_keys uuid[] not null default '{}';
alter table calendar_event add column key_approval boolean not null default false; -- one of them needs approval
alter table calendar_mail  add column author_keys uuid[] not null default '{}';
