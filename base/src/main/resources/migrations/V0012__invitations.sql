-- Mails of changes of calendars that are still to be sent, each with those who are to get it. They are stored with the
-- change; a mail leaves the list in the commit that sends it.
create table calendar_mail (
    organization_id uuid        not null,
    operation       text        not null,             -- the event of the change
    method          text        not null,             -- REQUEST, CANCEL, REPLY
    pod_id          uuid        not null,
    inbox_id        uuid        not null,
    subject         text        not null,
    body            text        not null,             -- for people
    calendar        text        not null,             -- iCalendar, for programs
    answers         text,                             -- the Message-ID that it answers
    recipients      text[]      not null,             -- who is still to get it
    primary key (organization_id, operation, method)
);
alter table calendar_mail
    alter column subject set statistics 0, alter column body set statistics 0,
    alter column calendar set statistics 0, alter column recipients set statistics 0;
create index calendar_mail_inbox on calendar_mail (organization_id, inbox_id);
select place('calendar_mail', 'organization_id', 'organization');

-- Received mail with a calendar whose author is certain, so that what it says may be taken into the calendar.
create table calendar_message (
    organization_id uuid        not null,
    message_id      uuid        not null,
    author          text        not null,             -- whose word it is
    event_id        text,                             -- what was made or changed by it, as in paths; null: nothing yet
    primary key (organization_id, message_id)
);
select place('calendar_message', 'organization_id', 'organization');
