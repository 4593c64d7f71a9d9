alter table letter add column stamp text;
