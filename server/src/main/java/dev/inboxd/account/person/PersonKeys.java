package dev.inboxd.account.person;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.tenant.apikey.ApiKeys;
import java.util.List;
import java.util.UUID;

/** The keys that people made, and those of programs that they let in, as far back as the audit log goes. */
final class PersonKeys {
    private static final String OF_PROGRAMS = """
            select distinct g.api_key_id from oauth_grant g where {g} and g.api_key_id is not null and (
              exists (select from console_session s where s.organization_id = {organization}
                      and s.session_id = g.session_id and s.human_email = :human)
              or exists (select from audit_entry a where a.organization_id = {organization}
                         and a.actor_id = g.session_id and a.actor_name = :human))""";

    private static final String OF_PEOPLE = """
            select distinct a.actor_name, k.name from audit_entry a
            join api_key k on k.organization_id = a.organization_id and k.api_key_id::text = a.target
            where {a} and a.action = 'api_key.created' and a.actor = 'user' and a.actor_name is not null
            and not exists (select from oauth_grant g where g.organization_id = {organization}
                            and g.api_key_id = k.api_key_id)
            order by k.name limit :most""";

    private static final int MOST = 100;

    private PersonKeys() {}

    /** Revokes the keys of programs that a person let in, while the sessions of the person are there. */
    static void revokeOfPrograms(Tx tx, UUID organization, String human) {
        List<UUID> keys =
                tx.sql(View.of(organization), OF_PROGRAMS).bind("human", human).list(row -> row.uuid("api_key_id"));
        keys.forEach(key -> ApiKeys.revoke(tx, organization, key));
    }

    /** The keys that are there and that people made for themselves or for agents. */
    static List<MadeKey> ofPeople(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), OF_PEOPLE)
                .bind("most", MOST)
                .list(row -> new MadeKey(row.text("actor_name"), row.text("name")));
    }
}
