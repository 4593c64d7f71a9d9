package dev.inboxd.tenant.organization;

import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.id.Uuid7;
import java.util.Optional;
import java.util.UUID;

/**
 * The humans behind organizations, by their addresses: each stands behind one organization at most, and may sign in to
 * it. Addresses are in the one form in which they are compared, lower case. In the caller's transaction, all of it.
 */
public final class OrganizationHumans {
    private OrganizationHumans() {}

    /** The organization that the human stands behind. */
    public static Optional<UUID> organizationOf(Tx tx, String email) {
        return tx.sql("select h.organization_id from human h where h.human_email = :human")
                .bind("human", email)
                .first(row -> row.uuid("organization_id"));
    }

    /** Binds a human to an organization; false when another has him, also one that commits while this waits. */
    public static boolean claim(Tx tx, String email, UUID organization) {
        return tx.sql("insert into human (human_email, organization_id) values (:human, :organization)"
                                + " on conflict (human_email) do nothing")
                        .bind("human", email)
                        .bind("organization", organization)
                        .run()
                == 1;
    }

    /** Lets a human go: he stands behind no organization, and no session of his is valid any more. */
    public static void release(Tx tx, String email) {
        tx.sql("delete from human h where h.human_email = :human")
                .bind("human", email)
                .run();
    }

    /** The human's own id, the same at every sign-in; empty when he stands behind another organization. */
    public static Optional<UUID> user(Tx tx, String email, UUID organization) {
        return tx.sql("select h.user_id from human h where h.human_email = :human and h.organization_id = :organization"
                        + " and h.user_id is not null")
                .bind("human", email)
                .bind("organization", organization)
                .first(row -> row.uuid("user_id"));
    }

    /** The human's own id, made now when this is the first sign-in. */
    public static UUID ensureUser(Tx tx, String email) {
        return tx.sql("update human h set user_id = coalesce(h.user_id, :new) where h.human_email = :human"
                        + " returning h.user_id")
                .bind("new", Uuid7.next())
                .bind("human", email)
                .one(row -> row.uuid("user_id"));
    }
}
