package dev.inboxd.tenant.organization;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.id.Uuid7;
import java.util.Optional;
import java.util.UUID;

/**
 * The humans behind organizations, by their addresses. Each human is behind one organization at most, and may sign in
 * to it. Addresses are in lower case. All methods use the caller's transaction.
 */
public final class OrganizationHumans {
    private OrganizationHumans() {}

    /** The organization of a human. */
    public static Optional<UUID> organizationOf(Tx tx, String email) {
        return tx.sql("select h.organization_id from human h where h.human_email = :human")
                .bind("human", email)
                .first(row -> row.uuid("organization_id"));
    }

    /**
     * Assigns a human to an organization. False when the human belongs to another one, also when that one commits
     * during the wait.
     */
    public static boolean claim(Tx tx, String email, UUID organization) {
        return claim(tx, email, organization, Role.OWN);
    }

    /** The same with a role. */
    public static boolean claim(Tx tx, String email, UUID organization, Role role) {
        boolean isFree = tx.sql("insert into human (human_email, organization_id) values (:human, :organization)"
                                + " on conflict (human_email) do nothing")
                        .bind("human", email)
                        .bind("organization", organization)
                        .run()
                == 1;
        if (isFree) {
            PersonSql.put(tx, organization, email, role);
        }
        return isFree;
    }

    /** Removes a human from its organization; the human's sessions end. */
    public static void release(Tx tx, String email, UUID organization) {
        tx.sql("delete from human h where h.human_email = :human and h.organization_id = :organization")
                .bind("human", email)
                .bind("organization", organization)
                .run();
        PersonSql.remove(tx, organization, email);
    }

    /** The user id of a human, the same at every sign-in; empty when the human belongs to another organization. */
    public static Optional<UUID> user(Tx tx, String email, UUID organization) {
        return tx.sql("select h.user_id from human h where h.human_email = :human and h.organization_id = :organization"
                        + " and h.user_id is not null")
                .bind("human", email)
                .bind("organization", organization)
                .first(row -> row.uuid("user_id"));
    }

    /** The user id of a human, created at the first sign-in. */
    public static UUID ensureUser(Tx tx, String email) {
        return tx.sql("update human h set user_id = coalesce(h.user_id, :new) where h.human_email = :human"
                        + " returning h.user_id")
                .bind("new", Uuid7.next())
                .bind("human", email)
                .one(row -> row.uuid("user_id"));
    }
}
