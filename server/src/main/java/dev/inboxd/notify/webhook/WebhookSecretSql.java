package dev.inboxd.notify.webhook;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** SQL on the secrets of webhooks, which are sealed in their rows. */
public final class WebhookSecretSql {
    static final String SECRETS = "webhook secrets";

    private final Vault vault;

    public WebhookSecretSql(Vault vault) {
        this.vault = vault;
    }

    /** The secrets that sign at this time. */
    public WebhookSecrets find(Tx tx, View view, String id, Instant now) {
        return tx.sql(view, """
                select w.secret, w.former_secret, w.former_until, w.former_secrets
                from webhook w where {w} and w.webhook_id = :id""").bind("id", id).single(row -> of(row, now));
    }

    /** Replaces the secret. */
    public void rotate(Tx tx, View view, String id, WebhookSecrets after, Instant now) {
        WebhookSecrets.Former last = after.former().getFirst();
        tx.sql(view, """
                update webhook w
                set secret = :secret, former_secret = :former, former_until = :until, former_secrets = :secrets,
                    updated_at = :now
                where {w} and w.webhook_id = :id""")
                .bind("id", id)
                .bind("secret", sealed(after.current()))
                .bind("former", sealed(last.secret()))
                .bind("until", last.until())
                .bind("secrets", vault.seal(SECRETS, after.stored()))
                .bind("now", now)
                .run();
    }

    private byte[] sealed(String secret) {
        return vault.seal(WebhookSql.SECRET, secret.getBytes(StandardCharsets.UTF_8));
    }

    /** The secrets of a row that sign at this time. */
    WebhookSecrets of(Row row, Instant now) {
        byte[] former = row.bytesOrNull("former_secret");
        Instant until = row.instantOrNull("former_until");
        byte[] all = row.bytesOrNull("former_secrets");
        return WebhookSecrets.of(
                opened(row.bytes("secret")),
                all == null ? null : vault.open(SECRETS, all),
                former == null || until == null ? null : new WebhookSecrets.Former(opened(former), until, ""),
                now);
    }

    String opened(byte[] sealed) {
        return new String(vault.open(WebhookSql.SECRET, sealed), StandardCharsets.UTF_8);
    }
}
