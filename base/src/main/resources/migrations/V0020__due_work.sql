-- Work finds its node (docs/decisions/0074-due-work.md): which organization has work of which kind, and when. Workers look
-- here, and nowhere else; what is due itself is in the tables of the work.
create table due_work (
    organization_id uuid        not null,
    kind            text        not null,             -- change: something was written; the others are made of it by a look
    due_at          timestamptz not null,             -- also the end of the lease of a node that is at it
    primary key (organization_id, kind)
) with (fillfactor = 50);
create index due_work_due on due_work (due_at);
select place('due_work', 'organization_id', 'organization');

-- When the organization is looked at because something was written since the last look; null: nothing was.
alter table organization_clock add column due_at timestamptz;
-- The number of the clock at the last look: one that has moved on without a note was moved by a revision of before.
alter table organization_clock add column looked_seq bigint;

-- The node that is at it.
alter table job   add column claimed_by uuid;
alter table draft add column node_id    uuid;

-- What waits in a database of before is found by a first look at everybody.
insert into due_work (organization_id, kind, due_at)
select k.organization_id, 'change', k.last_at from organization_clock k
on conflict (organization_id, kind) do nothing;

-- What is due of one organization is found without a look at the others.
create index job_turn on job (organization_id, due_at);
create index draft_turn on draft (organization_id, due_at) where due_at is not null;
create index calendar_event_turn on calendar_event (organization_id, next_boundary_at)
    where next_boundary_at is not null;
create index delivery_failed_turn on delivery (organization_id, failed_at) where failed_at is not null;
