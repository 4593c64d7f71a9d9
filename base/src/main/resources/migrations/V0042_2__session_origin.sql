-- Where a session was opened: browser and system, as the browser names them, and the address; and when it was last used,
-- by ten minutes.
alter table console_session add column if not exists device text;
alter table console_session add column if not exists address text;
alter table console_session add column if not exists seen_at timestamptz;
