package dev.inboxd.tenant.organization;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.UUID;

/** The rows of the people of an organization. */
public final class PersonSql {
    /** Also whom a node of an earlier revision named, who has no row. */
    private static final String ALL = """
            select p.human_email, p.role, p.since, p.seen_at from person p where {p}
            union all
            select o.human_email, 'own', o.created_at, null from organization o
            where o.organization_id = {organization} and o.human_email is not null and not exists (
              select from person q where q.organization_id = {organization} and q.human_email = o.human_email)
            order by since, human_email limit :most""";

    /** More than there may be. */
    private static final int MOST = 100;

    private PersonSql() {}

    /** The people of an organization, the oldest first. */
    public static List<Person> list(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), ALL)
                .bind("most", MOST)
                .list(row -> new Person(
                        row.text("human_email"),
                        Role.stored(row.text("role")),
                        row.instant("since"),
                        row.instantOrNull("seen_at")));
    }

    /** Gives a person a role. */
    public static void put(Tx tx, UUID organization, String humanEmail, Role role) {
        tx.sql(View.of(organization), """
                insert into person (organization_id, human_email, role, since)
                values ({organization}, :human, :role, {now})
                on conflict (organization_id, human_email) do update set role = excluded.role""")
                .bind("human", humanEmail)
                .bind("role", role.wireName())
                .run();
    }

    /** Remembers that a person is at the console. */
    public static void seen(Tx tx, UUID organization, String humanEmail) {
        tx.sql(View.of(organization), "update person p set seen_at = {now} where {p} and p.human_email = :human")
                .bind("human", humanEmail)
                .run();
    }

    static void remove(Tx tx, UUID organization, String humanEmail) {
        for (String table : List.of("person", "review_reader", "console_session", "sign_in_code")) {
            tx.sql(View.of(organization), "delete from " + table + " t where {t} and t.human_email = :human")
                    .bind("human", humanEmail)
                    .run();
        }
    }
}
