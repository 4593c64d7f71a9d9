package dev.inboxd.notify.webhook;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.vault.Reseal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Seals the secrets and custom header fields of webhooks with the newest master key. */
public final class WebhookReseal {
    private WebhookReseal() {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Sealed(
            String id, byte[] secret, byte @Nullable [] former, byte @Nullable [] all, byte @Nullable [] headers) {}

    /** Seals those of every webhook of an organization. */
    public static void run(Tx tx, View all, Reseal reseal) {
        List<Sealed> webhooks = tx.sql(
                        all,
                        "select w.webhook_id, w.secret, w.former_secret, w.former_secrets, w.headers"
                                + " from webhook w where {w}")
                .list(row -> new Sealed(
                        row.text("webhook_id"),
                        row.bytes("secret"),
                        row.bytesOrNull("former_secret"),
                        row.bytesOrNull("former_secrets"),
                        row.bytesOrNull("headers")));
        for (Sealed webhook : webhooks) {
            byte[] secret = reseal.of(WebhookSql.SECRET, webhook.secret).orElse(null);
            byte[] former = resealed(reseal, WebhookSql.SECRET, webhook.former);
            byte[] secrets = resealed(reseal, WebhookSecretSql.SECRETS, webhook.all);
            byte[] headers = resealed(reseal, WebhookSql.HEADERS, webhook.headers);
            if (secret != null || former != null || secrets != null || headers != null) {
                tx.sql(all, """
                        update webhook w
                        set secret = coalesce(:secret, w.secret), headers = coalesce(:headers, w.headers),
                            former_secret = coalesce(:former, w.former_secret),
                            former_secrets = coalesce(:secrets, w.former_secrets)
                        where {w} and w.webhook_id = :id""")
                        .bind("id", webhook.id)
                        .bind("secret", secret)
                        .bind("former", former)
                        .bind("secrets", secrets)
                        .bind("headers", headers)
                        .run();
            }
        }
    }

    private static byte @Nullable [] resealed(Reseal reseal, String purpose, byte @Nullable [] sealed) {
        return sealed == null ? null : reseal.of(purpose, sealed).orElse(null);
    }
}
