-- Ids of a message beside its public one: that which its sender wrote, and that which a relay gave it. Both lead to the
-- message; where message_id is null, other messages referred to the id.
alter table message_reference add column message_id uuid;

-- The recipients of the envelope that brought a received message into its inbox, as they were written at RCPT.
alter table message add column delivered_to text[];
alter table message alter column delivered_to set statistics 0; -- not sampled
