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
     * The organization to which an address signs in: the one that it is behind, or else the one that invited it last.
     * One whose agent alone named the address keeps it from no invitation.
     */
    public static Optional<UUID> entryOf(Tx tx, String email) {
        Optional<UUID> own = organizationOf(tx, email);
        return isSettled(tx, email) ? own : PersonSql.invitedTo(tx, email).or(() -> own);
    }

    /** Whether the address is behind an organization, and confirmed it. */
    public static boolean isSettled(Tx tx, String email) {
        return organizationOf(tx, email)
                .filter(own -> !isMerelyNamed(tx, email, own))
                .isPresent();
    }

    /** Whether an agent named the address, which nobody confirmed, nor signed in with. */
    private static boolean isMerelyNamed(Tx tx, String email, UUID organization) {
        return user(tx, email, organization).isEmpty()
                && Organizations.find(tx, organization)
                        .map(Organization::isUnverified)
                        .orElse(false);
    }

    /**
     * Assigns a human to an organization, as an owner. False when the human belongs to another one, also when that one
     * commits during the wait. Invitations of others keep nobody from it.
     */
    public static boolean claim(Tx tx, String email, UUID organization) {
        boolean isFree = insert(tx, email, organization);
        if (isFree) {
            PersonSql.put(tx, organization, email, Role.OWN);
        }
        return isFree;
    }

    private static boolean insert(Tx tx, String email, UUID organization) {
        return tx.sql("insert into human (human_email, organization_id) values (:human, :organization)"
                                + " on conflict (human_email) do nothing")
                        .bind("human", email)
                        .bind("organization", organization)
                        .run()
                == 1;
    }

    /**
     * Lets somebody in who has proven to read the mail of an address: who belongs to the organization, or accepts its
     * invitation by that. False for anybody else.
     */
    public static boolean enter(Tx tx, String email, UUID organization) {
        Optional<UUID> own = organizationOf(tx, email);
        boolean isIn = own.filter(organization::equals).isPresent()
                || (PersonSql.isInvited(tx, organization, email) && accept(tx, email, organization, own));
        if (isIn) {
            PersonSql.recordVisit(tx, organization, email);
        }
        return isIn;
    }

    private static boolean accept(Tx tx, String email, UUID organization, Optional<UUID> named) {
        if (named.isEmpty()) {
            return insert(tx, email, organization);
        }
        return isMerelyNamed(tx, email, named.get())
                && tx.sql("update human h set organization_id = :organization where h.human_email = :human"
                                        + " and h.organization_id = :named and h.user_id is null")
                                .bind("organization", organization)
                                .bind("human", email)
                                .bind("named", named.get())
                                .run()
                        == 1;
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
                .single(row -> row.uuid("user_id"));
    }
}
