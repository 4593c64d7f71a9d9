package dev.inboxd.payment.ledger;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The organizations of accounts that pay (payments.md §5). Each account has one, made by its first payment. */
public final class Payers {
    private static final Set<Permission> HELD = held();

    private final Database database;
    private final Organizations organizations;

    public Payers(Database database, Organizations organizations) {
        this.database = database;
        this.organizations = organizations;
    }

    /**
     * An account's organization.
     *
     * @param settled whether a payment of it was settled, so that the organization is there for its calls
     */
    public record Payer(UUID organization, boolean settled) {}

    /** That of an account, if it ever began to pay. */
    public Optional<Payer> find(String account) {
        return database.read(tx -> tx.sql("select y.organization_id, y.settled from payer y where y.account = :account")
                .bind("account", account)
                .first(row -> new Payer(row.uuid("organization_id"), row.flag("settled"))));
    }

    /**
     * Makes the organization of an account, in the transaction that reserves its first payment.
     *
     * @return false when the account has one by now; then the transaction must not be committed
     */
    public boolean create(UUID organization, String account) {
        return database.writeGlobal(tx -> {
            boolean free = tx.sql("insert into payer (account, organization_id, settled)"
                                    + " values (:account, :organization, false) on conflict do nothing")
                            .bind("account", account)
                            .bind("organization", organization)
                            .run()
                    == 1;
            if (free) {
                organizations.create(tx, organization, Organization.Type.WALLET, null);
            }
            return free;
        });
    }

    /** Makes an organization for a call that is to see an empty one; its transaction is not committed. */
    public void createEmpty(UUID organization) {
        database.runGlobal(tx -> {
            organizations.create(tx, organization, Organization.Type.WALLET, null);
        });
    }

    /**
     * Lets the account's calls see the organization, in the transaction that settles a payment.
     *
     * @return whether it is the first that was settled
     */
    public static boolean settled(Tx tx, String account) {
        return tx.sql("update payer set settled = true where account = :account and not settled")
                        .bind("account", account)
                        .run()
                == 1;
    }

    /**
     * Takes back the organization of an account none of whose payments came to a good end, in the transaction that
     * ends the last of them.
     */
    public static void forget(Tx tx, UUID organization, String account) {
        boolean deleted = tx.sql("delete from payer where account = :account and not settled")
                        .bind("account", account)
                        .run()
                == 1;
        if (deleted) {
            Organizations.takeBack(tx, View.of(organization));
        }
    }

    /** The credential of an account: the whole organization, but for what people alone may. */
    public static Caller caller(UUID organization, String account) {
        return caller(organization, account, null);
    }

    /** The same, for a call that was paid for. */
    public static Caller caller(UUID organization, String account, @Nullable UUID payment) {
        return new Caller(
                Caller.Credential.Payer.of(account, payment),
                Scope.ORGANIZATION,
                View.of(organization),
                null,
                HELD,
                true,
                false,
                false,
                false);
    }

    private static Set<Permission> held() {
        Set<Permission> held = EnumSet.allOf(Permission.class);
        held.removeIf(Permission::isByNameAlone);
        return held;
    }
}
