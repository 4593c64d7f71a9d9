-- Where an organization is now, when it is elsewhere: in the row that each of its writers takes first, so that none of them
-- commits here any more, however late it comes (docs/decisions/0076-moves.md).
alter table organization_clock add column moved_to text;
