package dev.inboxd.app.oidc;

import dev.inboxd.app.account.Accounts;
import dev.inboxd.app.registry.App;
import dev.inboxd.app.registry.AppSql;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.tenant.apikey.PublicKeys;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Those between whom a sign-in happens, as they are now. Each step after an approval reads them again: a key, an inbox
 * or an account that ended meanwhile ends the sign-in.
 */
record Parties(App app, Inbox inbox, PublicKeys.Signer signer) {
    /**
     * What names them.
     *
     * @param key the key that approved
     */
    record Ids(UUID app, Accounts.Holder holder, UUID key) {}

    /**
     * The parties of an approved sign-in, while it may go on.
     *
     * @return empty when the app, the inbox or the key is gone, the inbox is idle or its account disabled; a limit is
     *     found when the code is redeemed
     */
    static Optional<Parties> of(Tx tx, Ids ids, Instant now) {
        Accounts.Holder holder = ids.holder;
        return AppSql.find(tx, ids.app)
                .filter(App::isEnabled)
                .flatMap(app -> inbox(tx, holder.organization(), holder.inbox())
                        .filter(inbox -> !inbox.isIdle() && Accounts.isOpen(tx, app, holder))
                        .flatMap(inbox -> PublicKeys.signer(tx, holder.organization(), ids.key, now)
                                .map(signer -> new Parties(app, inbox, signer))));
    }

    static Optional<Inbox> inbox(Tx tx, UUID organization, UUID inbox) {
        return Inboxes.find(tx, View.of(organization), inbox);
    }
}
