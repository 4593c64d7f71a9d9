-- Global: what all nodes and commands of this installation share. One row, which the first start makes.
create table installation (
    name            text        primary key,          -- always inboxd
    installation_id uuid        not null,
    mode            text        not null,             -- dev, production; this and the names are those of the last start
    domain          text        not null,
    mx_host         text        not null,
    bounce_host     text        not null,
    spf_host        text        not null,
    tracking_host   text,                             -- null: opens are not tracked
    public_url      text,                             -- null: it follows from the port of HTTP
    key_check       bytea       not null,             -- the installation_id, sealed
    store_id        uuid        not null,             -- of the blob store, which has it in a marker
    store_marked    boolean     not null,             -- false: the first start was killed before it wrote the marker
    created_at      timestamptz not null
);
select place('installation', 'name', 'none');
