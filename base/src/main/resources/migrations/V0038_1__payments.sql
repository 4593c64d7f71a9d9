-- Accounts that pay for each call. Global: the first look-up of a paid call, by the account.
create table payer (
    account         text        primary key,          -- CAIP-10, such as eip155:8453:0x…
    organization_id uuid        not null,
    settled         boolean     not null              -- false: its first payment has no good end yet, and nobody sees it
);
select place('payer', 'account', 'none');

-- What was paid for, or is being paid for. The request is carried out when its payment is settled.
create table payment (
    organization_id uuid        not null,
    payment_id      uuid        not null,
    variant         text        not null,             -- x402, mpp
    method          text        not null,             -- how it is paid: exact, or a method of MPP
    network         text        not null,             -- CAIP-2, or the method of MPP
    asset           text        not null,
    amount          text        not null,             -- in the smallest units of the asset
    price           bigint      not null,             -- in 10^-6 USD
    payer           text        not null,
    route           text        not null,             -- method and template
    test            boolean     not null,             -- no money moved
    request_id      text        not null,
    request         bytea,                            -- what is carried out and asked, sealed; null: it is over
    request_hash    bytea       not null,             -- SHA-256 of method, path, query and body
    taken           text[]      not null,             -- names that no other payment may have until this one is over
    grounds         text[]      not null,             -- what must stay as it is until then
    address         text,                             -- of the inbox that is made; null: none is
    state           text        not null,             -- reserved, settling, settled, refused, owed
    attempts        integer     not null default 0,   -- how often the settlement was asked for
    next_at         timestamptz,                      -- when it is asked again; null: not by itself
    claimed_by      uuid,                             -- the node that is at it
    valid_before    timestamptz not null,
    reason          text,                             -- why it was refused, or is owed
    transaction     text,                             -- what the settlement is called where it was made
    created_at      timestamptz not null,
    settled_at      timestamptz,
    primary key (organization_id, payment_id)
);
select place('payment', 'organization_id', 'organization');
alter table payment alter column request set statistics 0; -- no figures of the planner of what mail says
create index payment_created on payment (created_at);
create index payment_open on payment (organization_id, next_at) where state in ('reserved', 'settling');
create index payment_claimed on payment (claimed_by, organization_id) where claimed_by is not null;

-- Authorizations that were used, so that each counts for one request.
create table payment_key (
    organization_id uuid        not null,
    key             bytea       not null,             -- SHA-256 of network, asset, account and nonce
    payment_id      uuid,                             -- null: a proof of who asked
    until           timestamptz not null,             -- a day after the authorization expires
    primary key (organization_id, key)
);
select place('payment_key', 'organization_id', 'organization');
create index payment_key_until on payment_key (until);

-- What a repeat of a request that was paid for is answered, for a day.
create table payment_answer (
    organization_id uuid        not null,
    payment_id      uuid        not null,
    answer          bytea       not null,             -- sealed, as it may have secrets
    until           timestamptz not null,
    primary key (organization_id, payment_id)
);
select place('payment_answer', 'organization_id', 'organization');
alter table payment_answer alter column answer set statistics 0;
create index payment_answer_until on payment_answer (until);
