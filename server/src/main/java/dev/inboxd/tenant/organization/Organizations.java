package dev.inboxd.tenant.organization;

import dev.inboxd.base.database.ChangeLook;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.job.Jobs;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operations on organizations. */
public final class Organizations {
    /** The server's own organization, which receives postmaster's mail. */
    public static final UUID OPERATOR = new UUID(0, 0);

    private static final String SELECT = """
            select o.organization_id, o.type, o.human_email, o.labs_enabled_at, o.message_security,
                   o.sending_stopped_at, o.everything_stopped_at, o.created_at, o.updated_at
            from organization o where o.organization_id = {organization}""";

    private static final RowStatement<UUID> MODES = RowStatement.of(
            "select {tenant}o.message_security from {rows} as r join organization o on o.organization_id = r.id"
                    + " where {o} and o.message_security is not null",
            RowStatement.uuid("id", id -> id));

    private final Database database;
    private final InstantSource clock;

    /** The organizations of a database. */
    public Organizations(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * A new organization with its Default Pod, in the caller's transaction.
     *
     * @param pod the id of the Default Pod
     */
    public record NewOrganization(Organization organization, UUID pod) {}

    /** Creates an organization with its clock and its Default Pod. It joins the labs at once (identity.md §7.3). */
    public NewOrganization create(Tx tx, UUID id, Organization.Type type, @Nullable String humanEmail) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        View view = View.of(id);
        UUID pod = Uuid7.next();
        tx.sql(
                        view,
                        "insert into organization (organization_id, type, human_email, labs_enabled_at,"
                                + " created_at, updated_at) values ({organization}, :type, :human, :now, :now, :now)")
                .bind("type", type.wireName())
                .bind("human", humanEmail)
                .bind("now", now)
                .run();
        tx.sql(
                        view,
                        "insert into organization_clock (organization_id, event_seq, last_at, waiting_seq)"
                                + " values ({organization}, 0, :now, 0)")
                .bind("now", now)
                .run();
        // Nobody has the clock while an organization is made, so what is written with it is noted here.
        tx.sql(view, "insert into due_work (organization_id, kind, due_at) values ({organization}, :kind, :now)")
                .bind("kind", ChangeLook.CHANGE)
                .bind("now", now)
                .run();
        tx.sql(
                        view,
                        "insert into pod (organization_id, pod_id, name, is_default, created_at, updated_at)"
                                + " values ({organization}, :pod, 'Default Pod', true, :now, :now)")
                .bind("pod", pod)
                .bind("now", now)
                .run();
        return new NewOrganization(new Organization(id, type, humanEmail, now, null, null, null, now, now), pod);
    }

    /** Adds a look-up of the organization to a round trip. */
    public static RoundTrip.Result<Organization> prefetch(RoundTrip trip, UUID id) {
        return trip.query(View.of(id), SELECT, Organizations::read);
    }

    /** The organization, for the operator. */
    public Optional<Organization> find(UUID id) {
        return database.read(tx -> find(tx, id));
    }

    /** The organization, in the caller's transaction. */
    public static Optional<Organization> find(Tx tx, UUID id) {
        return tx.sql(View.of(id), SELECT).first(Organizations::read);
    }

    /** Those of some organizations that are there. */
    public static Set<UUID> existing(Tx tx, Set<UUID> ids) {
        return new HashSet<>(
                tx.sqlAcrossTenants("select o.organization_id from organization o where o.organization_id = any (:ids)")
                        .bind("ids", ids.toArray(UUID[]::new))
                        .list(row -> row.uuid("organization_id")));
    }

    /** The address of the human whose session it is, or null when it has ended. */
    public static @Nullable String humanOf(Tx tx, UUID id, UUID session) {
        return tx.sql(View.of(id), "select s.human_email from console_session s where {s} and s.session_id = :session")
                .bind("session", session)
                .first(row -> row.text("human_email"))
                .orElse(null);
    }

    /**
     * Hides mail received before now from the organization's keys. Called when a key is issued again before a human has
     * verified the organization (ruling 23).
     */
    public static void hideEarlierMail(Tx tx, UUID id, Instant now) {
        tx.sql(View.of(id), "update organization o set mail_since = :now, updated_at = :now where {o}")
                .bind("now", now)
                .run();
    }

    /** Whether earlier mail is hidden from the organization's keys. */
    public static boolean isEarlierMailHidden(Tx tx, UUID id) {
        return tx.sql(View.of(id), "select o.mail_since is not null as hidden from organization o where {o}")
                .single(row -> row.flag("hidden"));
    }

    /**
     * Marks an agent's organization as verified by its human: no mail is hidden and no permission withheld any more.
     */
    public static void verified(Tx tx, UUID id, Instant now) {
        tx.sql(View.of(id), "update organization o set type = :type, mail_since = null, updated_at = :now where {o}")
                .bind("type", Organization.Type.AGENT_VERIFIED.wireName())
                .bind("now", now)
                .run();
    }

    /** Joins the labs; a repetition keeps the first time. */
    static void joinLabs(Tx tx, UUID id, Instant now) {
        tx.sql(
                        View.of(id),
                        "update organization o set labs_enabled_at = :now, updated_at = :now"
                                + " where {o} and o.labs_enabled_at is null")
                .bind("now", now)
                .run();
    }

    /** Sets what is done about received mail; it counts for what is stored from the commit on. */
    public static void setMessageSecurity(Tx tx, UUID id, SecurityMode mode, Instant now) {
        tx.sql(View.of(id), "update organization o set message_security = :mode, updated_at = :now where {o}")
                .bind("mode", mode.wireName())
                .bind("now", now)
                .run();
    }

    /** Stops webhooks, polling links and feeds as well; a repetition keeps the first time. */
    static int stopEverything(Tx tx, UUID id, Instant now) {
        int stopped = stopSending(tx, id, now);
        return stopped
                + tx.sql(
                                View.of(id),
                                "update organization o set everything_stopped_at = :now, updated_at = :now"
                                        + " where {o} and o.everything_stopped_at is null")
                        .bind("now", now)
                        .run();
    }

    /** Stops all mail that leaves the organization; a repetition keeps the first time. */
    static int stopSending(Tx tx, UUID id, Instant now) {
        return tx.sql(
                        View.of(id),
                        "update organization o set sending_stopped_at = :now, updated_at = :now"
                                + " where {o} and o.sending_stopped_at is null")
                .bind("now", now)
                .run();
    }

    /** Lets mail and everything else leave again. A day on which nothing could succeed is none of a failing webhook. */
    static int resume(Tx tx, UUID id, Instant now) {
        View all = View.of(id);
        tx.sql(
                        all,
                        "update webhook w set failing_since = null where {w} and w.failing_since is not null"
                                + " and exists (select from organization o"
                                + " where {o} and o.everything_stopped_at is not null)")
                .run();
        Jobs.hasten(tx, id); // what waits behind the stop leaves at once
        return tx.sql(
                        all,
                        "update organization o set sending_stopped_at = null, everything_stopped_at = null,"
                                + " updated_at = :now where {o} and o.sending_stopped_at is not null")
                .bind("now", now)
                .run();
    }

    /** Adds a look-up of the mode that the view's organization chose; no row when it chose none. */
    public static RoundTrip.Result<SecurityMode> prefetchMessageSecurity(RoundTrip trip, View view) {
        return trip.query(view, MODES, List.of(view.organization()), Organizations::mode);
    }

    /**
     * Assigns the first or another human to an agent's organization.
     *
     * @param counts whether this is one of the few changes that an agent may make
     */
    public static void attach(Tx tx, UUID id, String humanEmail, boolean counts, Instant now) {
        tx.sql(
                        View.of(id),
                        "update organization o set human_email = :human,"
                                + " human_changes = o.human_changes + :counted, updated_at = :now where {o}")
                .bind("human", humanEmail)
                .bind("counted", counts ? 1 : 0)
                .bind("now", now)
                .run();
    }

    /** The number of times that an agent has changed the human of its organization. */
    public static int humanChanges(Tx tx, UUID id) {
        return tx.sql(View.of(id), "select o.human_changes from organization o where {o}")
                .single(row -> row.integer("human_changes"));
    }

    /** Takes back an organization in which nothing was ever made, in the caller's transaction. */
    public static void takeBack(Tx tx, View all) {
        for (String table : List.of("pod", "due_work", "organization_clock", "organization")) {
            tx.sql(all, "delete from " + table + " t where t.organization_id = {organization}")
                    .run();
        }
    }

    /** The pod of resources that are created without one. */
    public static UUID defaultPod(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), "select p.pod_id from pod p where {p} and p.is_default")
                .single(row -> row.uuid("pod_id"));
    }

    /** Every organization except the server's own, the newest first; for the operator's commands. */
    public List<Organization> all() {
        return newest(Integer.MAX_VALUE);
    }

    /** Some organizations, the newest first, without the server's own; for the operator. */
    public List<Organization> newest(int most) {
        return database.read(
                tx -> tx.sqlAcrossTenants("select o.organization_id, o.type, o.human_email, o.labs_enabled_at,"
                                + " o.message_security, o.sending_stopped_at, o.everything_stopped_at, o.created_at,"
                                + " o.updated_at"
                                + " from organization o where o.type <> 'operator'"
                                + " order by o.created_at desc, o.organization_id limit :most")
                        .bind("most", most)
                        .list(Organizations::read));
    }

    /** Whether this server starts for the first time. */
    public boolean isEmpty() {
        return database.read(tx -> find(tx, OPERATOR)).isEmpty();
    }

    private static SecurityMode mode(Row row) {
        return Objects.requireNonNull(SecurityMode.ofWire(row.text("message_security")));
    }

    static Organization read(Row row) {
        return new Organization(
                row.uuid("organization_id"),
                Organization.Type.ofWire(row.text("type")),
                row.textOrNull("human_email"),
                row.instantOrNull("labs_enabled_at"),
                SecurityMode.ofWire(row.textOrNull("message_security")),
                row.instantOrNull("sending_stopped_at"),
                row.instantOrNull("everything_stopped_at"),
                row.instant("created_at"),
                row.instant("updated_at"));
    }
}
