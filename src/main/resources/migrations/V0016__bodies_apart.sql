-- Lists show no bodies, so they lie apart from what lists read: `shown` holds the rest from now on, and `header_size` how many
-- octets of it, inflated. Of a message stored before, `shown` holds everything still.
alter table message_content add column bodies bytea;  -- deflated JSON: text, html
alter table message_content alter column bodies set storage external;
