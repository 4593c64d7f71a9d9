-- Since when mail is in the trash by the hand of a person, who may have it back for 30 days; null: a client gave the label.
alter table message add column trashed_at timestamptz;
