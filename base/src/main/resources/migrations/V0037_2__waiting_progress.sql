-- How far who waits in the threads of an organization is known. Nodes of the version before write threads without that
-- knowledge: then waiting_seq stays behind event_seq, and what they changed is counted by the events in between.
alter table organization_clock add column waiting_seq bigint; -- the event up to which it is true; null: none was counted
alter table organization_clock add column waiting_thread uuid; -- threads up to this id were counted; null: all
-- A sent message that came back from all its recipients; null: it did not.
alter table message add column unreached boolean;
