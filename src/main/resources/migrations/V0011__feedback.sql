-- What comes back about mail that was sent.

alter table submission_recipient add column complained_at timestamptz; -- not null: told once, never again
