package dev.inboxd.tenant.apikey;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.OrganizationMark;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The keys whose time is over. */
public final class ExpiredKeys {
    private static final int SLICE = 500;

    private ExpiredKeys() {}

    /** Deletes keys that expired at least that long ago; until then lists show them (identity.md §8.2). */
    public static void forget(Database database, Duration age) {
        List<UUID> organizations =
                database.read(tx -> tx.sqlAcrossTenants("select distinct k.organization_id from api_key k"
                                + " where k.expires_at < {now} - make_interval(secs => :kept) and"
                                + OrganizationMark.noneAt("k") + " limit " + SLICE)
                        .bind("kept", (double) age.toSeconds())
                        .list(row -> row.uuid("organization_id")));
        for (UUID organization : organizations) {
            if (!database.gate().isOpen(organization)) {
                continue;
            }
            int removed;
            do {
                removed = database.write(
                        organization, tx -> ApiKeySql.deleteExpired(tx, View.of(organization), age, SLICE));
            } while (removed == SLICE);
        }
    }
}
