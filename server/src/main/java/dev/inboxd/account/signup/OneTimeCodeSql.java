package dev.inboxd.account.signup;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The rows of verification codes. */
final class OneTimeCodeSql {
    private OneTimeCodeSql() {}

    static Optional<OneTimeCode.StoredCode> code(Tx tx, UUID organization) {
        return tx.sql(
                        View.of(organization),
                        "select c.code_mac, c.expires_at, c.attempts from one_time_code c where {c}")
                .first(row -> new OneTimeCode.StoredCode(
                        row.bytes("code_mac"), row.instant("expires_at"), row.integer("attempts")));
    }

    /** Whether there is a code that has not expired, with or without attempts left. */
    static boolean isLive(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), "select 1 as one from one_time_code c where {c} and c.expires_at > {now}")
                .exists();
    }

    static void putCode(Tx tx, UUID organization, OneTimeCode code, Instant expiresAt) {
        tx.sql(View.of(organization), """
                insert into one_time_code (organization_id, code_mac, expires_at, attempts)
                values ({organization}, :mac, :expires, 0)
                on conflict (organization_id) do update set code_mac = :mac, expires_at = :expires, attempts = 0""")
                .bind("mac", code.mac())
                .bind("expires", expiresAt)
                .run();
    }

    static void countAttempt(Tx tx, UUID organization) {
        tx.sql(View.of(organization), "update one_time_code c set attempts = c.attempts + 1 where {c}")
                .run();
    }

    static void removeCode(Tx tx, UUID organization) {
        tx.sql(View.of(organization), "delete from one_time_code c where {c}").run();
    }
}
