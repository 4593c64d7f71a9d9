-- Delivery to other servers by ourselves: by destination, with their policies, signed twice.

-- The domain of the recipient, in lower case: what is slow, or wants to be spared, is told apart by it.
alter table submission_recipient add column destination text collate "C" not null default '';
update submission_recipient set destination = lower(substring(recipient from '[^@]*$')) where due_at is not null;

-- Policies of other domains on TLS (RFC 8461 §5.1): kept, or who stands between could hide them.
create table sts_policy (
    domain          text        primary key,          -- in lower case, A-labels
    policy_id       text        not null,             -- as their TXT record names it
    policy          text        not null,             -- as it was fetched
    expires_at      timestamptz not null
);
select place('sts_policy', 'domain', 'none');
create index sts_policy_expiry on sts_policy (expires_at);

-- The second signature (RFC 8463).
alter table signing_key add column second_key bytea;               -- sealed PKCS#8, Ed25519
alter table signing_key add column second_record text;             -- what the domain publishes under the second selector
