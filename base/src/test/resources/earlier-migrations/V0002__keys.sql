alter table organization add column human_email text;
