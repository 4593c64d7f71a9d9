-- A pause that stops the sending of an inbox alone.
alter table inbox add column if not exists sending_paused boolean not null default false;
