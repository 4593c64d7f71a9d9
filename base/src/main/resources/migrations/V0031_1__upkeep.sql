-- Global: what one node does for the whole installation, such as the sweep of the store: who is at it, and when it was
-- last done, so that nodes that are started again do not do it again.
create table upkeep (
    name            text        primary key,
    holder          uuid,                             -- the turn that is at it
    held_until      timestamptz,                      -- when others may take it for given up
    done_at         timestamptz
);
select place('upkeep', 'name', 'once');
