package dev.inboxd.account.signup;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.Optional;
import java.util.UUID;

/**
 * Who is to be the human of an account's organization, with the code that the human got. Nobody can sign in to it yet,
 * so it has no other code of a person.
 */
final class WalletHumanSql {
    private WalletHumanSql() {}

    /**
     * A human who is asked.
     *
     * @param live whether the code has not expired
     */
    record PendingHuman(String human, OneTimeCode.StoredCode code, boolean live) {
        /** Wrong attempts that count for the next code, too: else one could guess without an end. */
        int attempts() {
            return live ? code.attempts() : 0;
        }
    }

    /** Who was asked last. */
    static Optional<PendingHuman> pending(Tx tx, UUID organization) {
        return tx.sql(
                        View.of(organization),
                        "select c.human_email, c.code_mac, c.expires_at, c.attempts, c.expires_at > {now} as live"
                                + " from sign_in_code c where {c}"
                                + " order by c.expires_at desc limit 1")
                .first(row -> new PendingHuman(
                        row.text("human_email"),
                        new OneTimeCode.StoredCode(
                                row.bytes("code_mac"), row.instant("expires_at"), row.integer("attempts")),
                        row.flag("live")));
    }

    /** Keeps who is asked now; no other code counts any more. */
    static void ask(Tx tx, UUID organization, String human, OneTimeCode.StoredCode code) {
        int attempts = pending(tx, organization).map(PendingHuman::attempts).orElse(0);
        forget(tx, organization);
        tx.sql(View.of(organization), """
                insert into sign_in_code (organization_id, human_email, code_mac, expires_at, attempts)
                values ({organization}, :human, :mac, :expires, :attempts)""")
                .bind("human", human)
                .bind("mac", code.mac())
                .bind("expires", code.expiresAt())
                .bind("attempts", attempts)
                .run();
    }

    static void countAttempt(Tx tx, UUID organization) {
        tx.sql(View.of(organization), "update sign_in_code c set attempts = c.attempts + 1 where {c}")
                .run();
    }

    static void forget(Tx tx, UUID organization) {
        tx.sql(View.of(organization), "delete from sign_in_code c where {c}").run();
    }
}
