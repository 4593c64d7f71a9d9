-- What senders want to be told by mail (RFC 3461), as the parameters said it, because so they are passed on; empty: nothing.

alter table submission add column ret text not null default '';              -- FULL, HDRS
alter table submission add column envid text not null default '';            -- in xtext
alter table submission_recipient add column notify text not null default ''; -- NEVER, or some of SUCCESS,FAILURE,DELAY
alter table submission_recipient add column orcpt text not null default '';  -- type;address, the address in xtext
alter table submission_recipient add column delay_told boolean not null default false;
