-- Who takes a domain waits here for others that take one above or below it: such names share their last two labels. A row
-- is never seen by others: the transaction that writes it removes it again, and holds its key until it ends.
create table domain_family (
    family text primary key
);
select place('domain_family', 'family', 'none');
