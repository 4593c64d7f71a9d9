-- Pods that clients make, domains of their own, and what an organization tells of itself.

alter table pod
    add column description text,
    add column client_id   text;
create unique index pod_client on pod (organization_id, client_id);
create index pod_created on pod (organization_id, created_at, pod_id);

alter table organization add column labs_enabled_at timestamptz; -- null: not joined
update organization set labs_enabled_at = created_at;

-- Which organization a domain that was verified belongs to: what RCPT asks, and what makes it unique.
create table domain_holder (
    domain          text        primary key,          -- lower case, A-labels
    organization_id uuid        not null,
    path            text collate "C" not null,        -- its labels from the right, each with a dot: com.example.
    subdomains      boolean     not null,             -- whether it stands for all names below it too
    verified        boolean     not null,             -- false: another organization that verifies it takes it over
    changed_at      timestamptz not null
);
create index domain_holder_path on domain_holder (path);
select place('domain_holder', 'domain', 'none');

-- A domain as one organization registered it, perhaps one of several that did.
create table domain (
    organization_id     uuid        not null,
    domain              text        not null,         -- lower case, A-labels; also the public id
    pod_id              uuid,                         -- null: for the inboxes of every pod
    client_id           text,
    feedback_enabled    boolean     not null,
    subdomains_enabled  boolean     not null,
    tracking_enabled    boolean     not null,
    beside_others       boolean     not null,         -- another provider's MX records may stand beside ours
    selector            text        not null,
    private_key         bytea       not null,         -- sealed PKCS#8, of this registration alone
    dns_record          text        not null,         -- what the domain publishes
    status              text        not null,
    reason              text,
    findings            text[]      not null,         -- of the last check, one word for each record, state and reason
    sending             boolean     not null,         -- whether mail may leave from it
    proven_at           timestamptz,                  -- when our key was seen there first
    since               timestamptz,                  -- verifying: since when all is right; verified: since when not
    checked_at          timestamptz,
    restarted_at        timestamptz not null,         -- what the times between checks count from
    due_at              timestamptz,                  -- the next check; null: only on request
    requested_until     timestamptz,                  -- a check on request is running, at most until then
    created_at          timestamptz not null,
    updated_at          timestamptz not null,
    primary key (organization_id, domain)
);
create unique index domain_client on domain (organization_id, client_id);
create index domain_created on domain (organization_id, created_at, domain);
create index domain_due on domain (due_at) where due_at is not null;
select place('domain', 'organization_id', 'organization');
