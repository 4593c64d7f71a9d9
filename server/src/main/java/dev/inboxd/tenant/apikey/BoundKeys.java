package dev.inboxd.tenant.apikey;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.UUID;

/** The keys of which nothing leaves without approval (approvals.md §1). */
public final class BoundKeys {
    private BoundKeys() {}

    /**
     * Whether one of these keys is such a key now; deleted ones are not.
     *
     * @param all the whole organization
     */
    public static boolean areAmong(Tx tx, View all, List<UUID> keys) {
        return tx.sql(
                        all,
                        "select 1 as one from api_key k where {k} and k.api_key_id = any (:keys) and k.send_approval"
                                + " limit 1")
                .bind("keys", keys.toArray(UUID[]::new))
                .exists();
    }
}
