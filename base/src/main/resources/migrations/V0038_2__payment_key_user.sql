-- Who has used an authorization that does not name its payer.
set lock_timeout = 0;
create index concurrently if not exists payment_key_user on payment_key (key);
reset lock_timeout;
