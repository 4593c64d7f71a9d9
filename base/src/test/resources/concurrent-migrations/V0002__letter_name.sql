set lock_timeout = 0;
create unique index concurrently if not exists letter_name on letter (name);
reset lock_timeout;
