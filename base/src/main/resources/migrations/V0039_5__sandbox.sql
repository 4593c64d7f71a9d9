-- What addresses answer by, in development.
create table sandbox_rule (
    organization_id uuid        not null,
    rule_id         uuid        not null,
    match           text        not null,             -- an address in lower case, or *@domain
    inbox_id        uuid,                             -- whose mail it is for; null: that of every inbox
    script          text        not null,             -- a list of steps, as JSON
    times           integer,                          -- how many mails it is for; null: all
    hits            integer     not null,
    created_at      timestamptz not null,
    primary key (organization_id, rule_id)
);
select place('sandbox_rule', 'organization_id', 'organization');

-- The step that each mail to a scripted person meets, however often it is tried.
create table sandbox_turn (
    organization_id uuid        not null,
    submission_id   uuid        not null,
    position        integer     not null,
    rule_id         uuid,                             -- null: a person below sandbox.test
    thread_id       uuid        not null,
    recipient       text        not null,             -- in lower case
    step            text        not null,             -- as JSON
    taken           boolean     not null,
    created_at      timestamptz not null,
    primary key (organization_id, submission_id, position)
);
select place('sandbox_turn', 'organization_id', 'organization');
alter table sandbox_turn alter column recipient set statistics 0; -- no figures of the planner of what mail says
create index sandbox_turn_conversation on sandbox_turn (organization_id, rule_id, thread_id);
create index sandbox_turn_created on sandbox_turn (created_at);

-- What scripted people are going to do.
create table sandbox_reaction (
    organization_id uuid        not null,
    reaction_id         uuid        not null,
    due_at          timestamptz not null,
    at              timestamptz not null,             -- when it is done; due_at moves with each attempt
    reaction            text        not null,             -- as JSON
    submission_id   uuid        not null,
    message_id      uuid,                             -- null: mail of the service itself
    recipient       text        not null,
    return_path     text,
    attempts        integer     not null,
    primary key (organization_id, reaction_id)
);
select place('sandbox_reaction', 'organization_id', 'organization');
alter table sandbox_reaction alter column recipient set statistics 0;
create index sandbox_reaction_due on sandbox_reaction (organization_id, due_at);
