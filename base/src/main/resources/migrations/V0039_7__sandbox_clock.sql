-- The clock of an installation in development; production has no row, and reads none.
create table sandbox_clock (
    name         text        primary key,        -- 'inboxd'
    number       bigint      not null,           -- of the last move
    shift        bigint      not null,           -- microseconds that it is ahead of the real time while it runs
    stands_at    timestamptz,                    -- null: it runs
    frozen       boolean     not null,           -- whether it stands until somebody lets it run
    walker       uuid,                           -- the call that moves it
    walker_until timestamptz                     -- by real time, when others may take that call for dead
);
select place('sandbox_clock', 'name', 'once');
