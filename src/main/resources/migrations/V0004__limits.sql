-- How much of each rate is used up, for all nodes. A row says when its budget will be full again, which is all there is to
-- know of a token bucket. Not logged: a crash fills every budget, which does no harm, and no commit waits for the disk.

create unlogged table rate_budget (
    bucket          bytea       primary key,          -- SHA-256 of the rate's name and of whom it bounds
    full_at         bigint      not null,             -- microseconds since 1970 by the database's clock
    granted         integer     not null,             -- what the last statement was given
    capacity        integer     not null,             -- what a full budget holds
    step            bigint      not null,             -- microseconds in which one more is there
    asked_at        bigint      not null              -- when the last statement asked
);
select place('rate_budget', 'bucket', 'none');

-- What an organization has sent, for its quotas; a row is written only where there is one.

create table send_count (
    organization_id uuid        not null,
    day             date        not null,             -- UTC
    sent            integer     not null,
    primary key (organization_id, day)
);
select place('send_count', 'organization_id', 'organization');

-- What addresses look like, so that nobody takes one that is easily read as somebody else's.

create table look_alike (
    skeleton        text        primary key,          -- of the local part, with the domain
    organization_id uuid        not null
);
select place('look_alike', 'skeleton', 'none');

insert into look_alike (skeleton, organization_id)
select distinct on (1)
       translate(replace(replace(replace(split_part(a.address, '@', 1), 'rn', 'm'), 'vv', 'w'), 'cl', 'd'), '01i', 'oll')
           || '@' || split_part(a.address, '@', 2), a.organization_id
from address a order by 1, a.changed_at
on conflict (skeleton) do nothing;
