package dev.inboxd.account.session;

import dev.inboxd.account.signup.OneTimeCode;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of sessions, and of sign-in codes. */
final class SessionSql {
    private SessionSql() {}

    /** A stored session with properties of its organization. The user id is in a table of all organizations. */
    record StoredSession(
            UUID id,
            String humanEmail,
            Instant createdAt,
            Instant expiresAt,
            boolean unverified,
            boolean pays,
            @Nullable Instant mailSince,
            Role role,
            @Nullable Instant seenAt) {
        Session of(UUID organization, UUID user) {
            return new Session(id, organization, user, humanEmail, createdAt, expiresAt);
        }
    }

    static void insert(Tx tx, Session session, SessionOrigin origin) {
        tx.sql(View.of(session.organization()), """
                insert into console_session (organization_id, session_id, human_email, created_at, expires_at,
                                             device, address)
                values ({organization}, :id, :human, :created, :expires, :device, :address)""")
                .bind("device", origin.device())
                .bind("address", origin.address())
                .bind("id", session.id())
                .bind("human", session.humanEmail())
                .bind("created", session.createdAt())
                .bind("expires", session.expiresAt())
                .run();
    }

    static Optional<StoredSession> find(Tx tx, UUID organization, UUID id) {
        return tx.sql(View.of(organization), """
                select s.human_email, s.created_at, s.expires_at, o.type = 'agent_unverified' as unverified,
                       o.type = 'wallet' as pays, o.mail_since, s.seen_at,
                       coalesce(p.role, case when o.human_email = s.human_email then 'own' end) as role
                from console_session s join organization o on o.organization_id = s.organization_id
                left join person p on p.organization_id = s.organization_id and p.human_email = s.human_email
                where {s} and s.session_id = :id and s.expires_at > {now}
                and (p.role is not null or o.human_email = s.human_email)""")
                .bind("id", id)
                .first(row -> new StoredSession(
                        id,
                        row.text("human_email"),
                        row.instant("created_at"),
                        row.instant("expires_at"),
                        row.flag("unverified"),
                        row.flag("pays"),
                        row.instantOrNull("mail_since"),
                        Role.stored(row.text("role")),
                        row.instantOrNull("seen_at")));
    }

    /** Notes that a session is used. */
    static void touch(Tx tx, Session session) {
        tx.sql(
                        View.of(session.organization()),
                        "update console_session s set seen_at = {now} where {s} and s.session_id = :id")
                .bind("id", session.id())
                .run();
    }

    /** The sessions of everybody of an organization that are not over, the last used first. */
    static List<OpenDevice> devices(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), """
                select s.session_id, s.human_email, s.created_at, s.expires_at, s.device, s.address, s.seen_at
                from console_session s where {s} and s.expires_at > {now}
                order by coalesce(s.seen_at, s.created_at) desc limit 200""")
                .list(row -> new OpenDevice(
                        row.uuid("session_id"),
                        row.text("human_email"),
                        new SessionOrigin(row.textOrNull("device"), row.textOrNull("address")),
                        new OpenDevice.Times(
                                row.instant("created_at"), row.instant("expires_at"), row.instantOrNull("seen_at"))));
    }

    /** The sessions of a human that are not over, the newest first. */
    static List<Session> list(Tx tx, Session of) {
        return tx.sql(View.of(of.organization()), """
                select s.session_id, s.created_at, s.expires_at from console_session s
                where {s} and s.human_email = :human and s.expires_at > {now} order by s.created_at desc limit 100""")
                .bind("human", of.humanEmail())
                .list(row -> new Session(
                        row.uuid("session_id"),
                        of.organization(),
                        of.user(),
                        of.humanEmail(),
                        row.instant("created_at"),
                        row.instant("expires_at")));
    }

    /** Deletes one of that human's sessions; 0 for any other. */
    static int delete(Tx tx, UUID organization, String humanEmail, UUID id) {
        return tx.sql(
                        View.of(organization),
                        "delete from console_session s where {s} and s.session_id = :id and s.human_email = :human")
                .bind("id", id)
                .bind("human", humanEmail)
                .run();
    }

    /** How many sessions of a human are not over. */
    static int count(Tx tx, Session of) {
        return tx.sql(
                        View.of(of.organization()),
                        "select count(*) as n from console_session s where {s} and s.human_email = :human"
                                + " and s.expires_at > {now}")
                .bind("human", of.humanEmail())
                .single(row -> row.integer("n"));
    }

    static void deleteAll(Tx tx, UUID organization, String humanEmail) {
        tx.sql(View.of(organization), "delete from console_session s where {s} and s.human_email = :human")
                .bind("human", humanEmail)
                .run();
    }

    static Optional<OneTimeCode.StoredCode> code(Tx tx, UUID organization, String humanEmail) {
        return tx.sql(
                        View.of(organization),
                        "select c.code_mac, c.expires_at, c.attempts from sign_in_code c"
                                + " where {c} and c.human_email = :human")
                .bind("human", humanEmail)
                .first(row -> new OneTimeCode.StoredCode(
                        row.bytes("code_mac"), row.instant("expires_at"), row.integer("attempts")));
    }

    static void putCode(Tx tx, UUID organization, String humanEmail, OneTimeCode.StoredCode code) {
        tx.sql(View.of(organization), """
                insert into sign_in_code (organization_id, human_email, code_mac, expires_at, attempts)
                values ({organization}, :human, :mac, :expires, 0)
                on conflict (organization_id, human_email) do update
                set code_mac = :mac, expires_at = :expires, attempts = 0""")
                .bind("human", humanEmail)
                .bind("mac", code.mac())
                .bind("expires", code.expiresAt())
                .run();
    }

    static void countAttempt(Tx tx, UUID organization, String humanEmail) {
        tx.sql(
                        View.of(organization),
                        "update sign_in_code c set attempts = c.attempts + 1" + " where {c} and c.human_email = :human")
                .bind("human", humanEmail)
                .run();
    }

    static void removeCode(Tx tx, UUID organization, String humanEmail) {
        tx.sql(View.of(organization), "delete from sign_in_code c where {c} and c.human_email = :human")
                .bind("human", humanEmail)
                .run();
    }
}
