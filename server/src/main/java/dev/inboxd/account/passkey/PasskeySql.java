package dev.inboxd.account.passkey;

import dev.inboxd.account.passkey.PasskeyRow.State;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of passkeys. */
final class PasskeySql {
    private static final String HUMAN = "human";

    private PasskeySql() {}

    /** Those of a person, the oldest first. */
    static List<Passkey> list(Tx tx, UUID organization, String humanEmail) {
        return tx.sql(View.of(organization), """
                select p.passkey_id, p.device, p.synced, p.created_at, p.used_at from passkey p
                where {p} and p.human_email = :human order by p.created_at, p.passkey_id""")
                .bind(HUMAN, humanEmail)
                .list(row -> new Passkey(
                        row.uuid("passkey_id"),
                        row.textOrNull("device"),
                        row.flag("synced"),
                        row.instant("created_at"),
                        row.instantOrNull("used_at")));
    }

    /** The ids that the authenticators of a person chose. */
    static List<byte[]> credentials(Tx tx, UUID organization, String humanEmail) {
        return tx.sql(
                        View.of(organization),
                        "select p.credential_id from passkey p where {p} and p.human_email = :human"
                                + " order by p.created_at, p.passkey_id")
                .bind(HUMAN, humanEmail)
                .list(row -> row.bytes("credential_id"));
    }

    static Optional<PasskeyRow> find(Tx tx, UUID organization, byte[] credential) {
        return tx.sql(View.of(organization), """
                select p.passkey_id, p.human_email, p.public_key, p.counter, p.synced, p.challenged_at from passkey p
                where {p} and p.credential_id = :credential""")
                .bind("credential", credential)
                .first(row -> new PasskeyRow(
                        row.uuid("passkey_id"),
                        row.text("human_email"),
                        row.bytes("public_key"),
                        new State(row.longer("counter"), row.flag("synced")),
                        row.instantOrNull("challenged_at")));
    }

    /** False when the organization has that credential already. */
    static boolean insert(Tx tx, View view, NewPasskey passkey, @Nullable String device) {
        return tx.sql(view, """
                insert into passkey (organization_id, passkey_id, human_email, credential_id, public_key, counter,
                                     synced, device, created_at)
                values ({organization}, :id, :human, :credential, :key, :counter, :synced, :device, {now})
                on conflict do nothing""")
                        .bind("id", passkey.id())
                        .bind(HUMAN, passkey.humanEmail())
                        .bind("credential", passkey.credentialId())
                        .bind("key", passkey.credential())
                        .bind("counter", passkey.state().counter())
                        .bind("synced", passkey.state().isSynced())
                        .bind("device", device)
                        .run()
                == 1;
    }

    /** What a sign-in says of a passkey: its state, and when the challenge was made. */
    record Use(State state, Instant challengedAt) {}

    /** Notes a sign-in; false when its challenge is no later than that of another, or the passkey is gone. */
    static boolean use(Tx tx, UUID organization, UUID id, Use use) {
        return tx.sql(View.of(organization), """
                update passkey p set counter = :counter, synced = :synced, used_at = {now}, challenged_at = :challenged
                where {p} and p.passkey_id = :id and (p.challenged_at is null or p.challenged_at < :challenged)""")
                        .bind("id", id)
                        .bind("counter", use.state.counter())
                        .bind("synced", use.state.isSynced())
                        .bind("challenged", use.challengedAt)
                        .run()
                == 1;
    }

    /** Deletes one of that person's; false for any other. */
    static boolean delete(Tx tx, UUID organization, String humanEmail, UUID id) {
        return tx.sql(
                                View.of(organization),
                                "delete from passkey p where {p} and p.passkey_id = :id and p.human_email = :human")
                        .bind("id", id)
                        .bind(HUMAN, humanEmail)
                        .run()
                == 1;
    }
}
