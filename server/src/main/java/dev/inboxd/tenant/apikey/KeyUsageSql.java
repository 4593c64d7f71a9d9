package dev.inboxd.tenant.apikey;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.UUID;

/** The time at which a key was used last. */
final class KeyUsageSql {
    private KeyUsageSql() {}

    static void used(Tx tx, View view, UUID[] keys, Instant[] times) {
        tx.sql(view, """
                update api_key k set used_at = u.at from unnest(:keys::uuid[], :times::timestamptz[])
                    as u (api_key_id, at) where {k} and k.api_key_id = u.api_key_id
                  and (k.used_at is null or k.used_at < u.at)""").bind("keys", keys).bind("times", times).run();
    }
}
