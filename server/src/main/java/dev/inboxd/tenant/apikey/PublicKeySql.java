package dev.inboxd.tenant.apikey;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.Optional;
import java.util.UUID;

/** The global index of public keys, and the public half that a sign-in key is given. */
final class PublicKeySql {
    private PublicKeySql() {}

    static void insert(Tx tx, UUID organization, UUID key) {
        tx.sql("insert into public_key (api_key_id, organization_id) values (:id, :organization)")
                .bind("organization", organization)
                .bind("id", key)
                .run();
    }

    static void delete(Tx tx, UUID[] keys) {
        tx.sql("delete from public_key p where p.api_key_id = any (:keys)")
                .bind("keys", keys)
                .run();
    }

    static Optional<UUID> organization(Tx tx, UUID key) {
        return tx.sql("select p.organization_id from public_key p where p.api_key_id = :id")
                .bind("id", key)
                .first(row -> row.uuid("organization_id"));
    }

    /** Gives a pending sign-in key its public half; false when it is not pending. */
    static boolean activate(Tx tx, View view, PublicKeys.NewHalf half) {
        return tx.sql(view, """
                update api_key k set status = 'active', public_key = :public, expires_at = :expires, updated_at = :now
                where {k} and k.api_key_id = :id and k.status = 'pending' and k.expires_at > :now""")
                        .bind("id", half.key())
                        .bind("public", half.material().point())
                        .bind("expires", half.at().plus(PublicKeys.SIGN_IN_KEY_LIFE))
                        .bind("now", half.at())
                        .run()
                == 1;
    }
}
