-- The node that sends with an Idempotency-Key: when it is dead, a repeat takes the key over at once.
alter table send_memory add column node_id uuid;
