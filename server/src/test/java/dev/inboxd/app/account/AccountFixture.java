package dev.inboxd.app.account;

import dev.inboxd.app.registry.App;
import dev.inboxd.app.registry.AppFixture;
import dev.inboxd.server.World;
import java.util.UUID;

/** Makes accounts as the token endpoint does. */
public final class AccountFixture {
    private AccountFixture() {}

    static Accounts.Holder holder(World node, String inbox) {
        return node.database()
                .read(tx -> tx.sqlAcrossTenants("select i.organization_id, i.inbox_id from inbox i"
                                + " where i.address = :address and not i.deleting")
                        .bind("address", inbox)
                        .single(row -> new Accounts.Holder(row.uuid("organization_id"), row.uuid("inbox_id"))));
    }

    /** Signs an inbox in at an app. */
    public static Account signIn(World node, UUID app, String inbox) {
        Accounts.Holder holder = holder(node, inbox);
        App found = AppFixture.find(node, app);
        return node.database()
                .write(
                        holder.organization(),
                        tx -> Accounts.signIn(tx, found, holder, tx.next().at()));
    }
}
