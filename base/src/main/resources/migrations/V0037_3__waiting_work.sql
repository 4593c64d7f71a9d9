-- Threads of before are counted in the background.
insert into due_work (organization_id, kind, due_at)
    select k.organization_id, 'waiting', k.last_at from organization_clock k
    on conflict do nothing;
