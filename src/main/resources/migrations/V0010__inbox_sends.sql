-- What an inbox has sent, for the cap that stops an agent gone astray; a row is written only where sends are counted.
create table inbox_send_count (
    organization_id uuid        not null,
    inbox_id        uuid        not null,
    day             date        not null,             -- UTC
    sent            integer     not null,
    primary key (organization_id, inbox_id, day)
);
select place('inbox_send_count', 'organization_id', 'organization');
