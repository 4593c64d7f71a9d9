-- Who was behind an organization so far owns it.
insert into person (organization_id, human_email, role, since)
select o.organization_id, o.human_email, 'own', o.created_at from organization o where o.human_email is not null;
