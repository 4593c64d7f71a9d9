package dev.inboxd.tenant.organization;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of the people of an organization, and of those who are invited to it. */
public final class PersonSql {
    /** How long an invitation can be accepted. */
    private static final Duration INVITED = Duration.ofDays(7);

    /** Who belongs to the organization, also whom a node of an earlier revision named; and open invitations. */
    private static final String ALL = """
            select p.human_email, p.role, p.since, p.seen_at, h.human_email is null as invited
            from person p left join human h on h.human_email = p.human_email and h.organization_id = {organization}
            where {p} and (h.human_email is not null or p.invited_at > {now} - make_interval(secs => :lapse))
            union all
            select o.human_email, 'own', o.created_at, null, false from organization o
            join human h on h.human_email = o.human_email and h.organization_id = {organization}
            where o.organization_id = {organization} and not exists (
              select from person q where q.organization_id = {organization} and q.human_email = o.human_email)
            order by since, human_email limit :most""";

    private static final String INVITE = """
            insert into person (organization_id, human_email, role, since, invited_at)
            values ({organization}, :human, :role, {now}, {now})
            on conflict (organization_id, human_email) do update
            set role = excluded.role, since = excluded.since, seen_at = null, invited_at = excluded.invited_at""";

    private static final String NAMED_BEFORE = """
            insert into person (organization_id, human_email, role, since, seen_at)
            select o.organization_id, o.human_email, 'own', o.created_at, {now} from organization o
            where {o} and o.human_email = :human on conflict (organization_id, human_email) do nothing""";

    private static final String LAPSE = "lapse";
    private static final String HUMAN = "human";

    /** More than there may be. */
    private static final int MOST = 100;

    private PersonSql() {}

    /** The people of an organization and those who may still accept an invitation, the oldest first. */
    public static List<Person> list(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), ALL)
                .bind("most", MOST)
                .bind(LAPSE, (double) INVITED.toSeconds())
                .list(row -> new Person(
                        row.text("human_email"),
                        Role.stored(row.text("role")),
                        row.instant("since"),
                        row.instantOrNull("seen_at"),
                        row.flag("invited")));
    }

    /** Gives somebody who belongs to the organization a role. */
    public static void put(Tx tx, UUID organization, String humanEmail, Role role) {
        tx.sql(View.of(organization), """
                insert into person (organization_id, human_email, role, since)
                values ({organization}, :human, :role, {now})
                on conflict (organization_id, human_email) do update set role = excluded.role, invited_at = null""")
                .bind(HUMAN, humanEmail)
                .bind("role", role.wireName())
                .run();
    }

    /** Invites somebody, who belongs elsewhere or nowhere until they accept. Invitations that lapsed are forgotten. */
    public static void invite(Tx tx, UUID organization, String humanEmail, Role role) {
        tx.sql(
                        View.of(organization),
                        "delete from person p where {p} and p.invited_at <= {now} - make_interval(secs => :lapse)")
                .bind(LAPSE, (double) INVITED.toSeconds())
                .run();
        tx.sql(View.of(organization), INVITE)
                .bind(HUMAN, humanEmail)
                .bind("role", role.wireName())
                .run();
    }

    /** Changes the role of an invitation. */
    public static void reinvite(Tx tx, UUID organization, String humanEmail, Role role) {
        tx.sql(View.of(organization), "update person p set role = :role where {p} and p.human_email = :human")
                .bind(HUMAN, humanEmail)
                .bind("role", role.wireName())
                .run();
    }

    /** The organization of the newest invitation of an address: it is asked for before anybody has signed in. */
    static Optional<UUID> invitedTo(Tx tx, String humanEmail) {
        return tx.sqlAcrossTenants("select p.organization_id from person p where p.human_email = :human"
                        + " and p.invited_at > {now} - make_interval(secs => :lapse)"
                        + " order by p.invited_at desc limit 1")
                .bind(HUMAN, humanEmail)
                .bind(LAPSE, (double) INVITED.toSeconds())
                .first(row -> row.uuid("organization_id"));
    }

    /** Whether an address may accept an invitation of the organization. */
    static boolean isInvited(Tx tx, UUID organization, String humanEmail) {
        return tx.sql(
                        View.of(organization),
                        "select 1 as one from person p where {p} and p.human_email = :human"
                                + " and p.invited_at > {now} - make_interval(secs => :lapse)")
                .bind(HUMAN, humanEmail)
                .bind(LAPSE, (double) INVITED.toSeconds())
                .exists();
    }

    /** Remembers that a person is at the console, who has accepted the invitation by that. */
    public static void recordVisit(Tx tx, UUID organization, String humanEmail) {
        int updated = tx.sql(
                        View.of(organization),
                        "update person p set seen_at = {now}, invited_at = null where {p} and p.human_email = :human")
                .bind(HUMAN, humanEmail)
                .run();
        if (updated == 0) {
            tx.sql(View.of(organization), NAMED_BEFORE).bind(HUMAN, humanEmail).run();
        }
    }

    /** Ends the sessions of a person, and the codes that were sent for more. */
    public static void signOut(Tx tx, UUID organization, String humanEmail) {
        remove(tx, organization, humanEmail, List.of("console_session", "sign_in_code"));
    }

    static void remove(Tx tx, UUID organization, String humanEmail) {
        remove(tx, organization, humanEmail, List.of("person", "review_reader", "passkey"));
        signOut(tx, organization, humanEmail);
    }

    private static void remove(Tx tx, UUID organization, String humanEmail, List<String> tables) {
        for (String table : tables) {
            tx.sql(View.of(organization), "delete from " + table + " t where {t} and t.human_email = :human")
                    .bind(HUMAN, humanEmail)
                    .run();
        }
    }
}
