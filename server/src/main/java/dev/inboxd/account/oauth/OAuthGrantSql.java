package dev.inboxd.account.oauth;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Statement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** The rows of what people let in. */
final class OAuthGrantSql {
    private OAuthGrantSql() {}

    /** @param end until when the row is kept while nobody redeems the code */
    static void insert(Tx tx, byte[] code, OAuthGrant grant, Instant end) {
        tx.sql(View.of(grant.organization()), """
                insert into oauth_grant (organization_id, code_hash, client_hash, client_name, redirect_uri,
                                         code_challenge, session_id, inbox_address, access, code_expires_at, expires_at)
                values ({organization}, :code, :client, :name, :redirect, :challenge, :session, :inbox, :access,
                        :code_end, :end)""")
                .bind("code", code)
                .bind("client", grant.binding().client())
                .bind("name", grant.binding().name())
                .bind("redirect", grant.binding().redirectUri())
                .bind("challenge", grant.binding().challenge())
                .bind("session", grant.session())
                .bind("inbox", grant.choice().inbox())
                .bind("access", grant.choice().access().wireName())
                .bind("code_end", grant.codeExpiresAt())
                .bind("end", end)
                .run();
    }

    static Optional<OAuthGrant> find(Tx tx, UUID organization, byte[] code) {
        Statement query = tx.sql(View.of(organization), """
                select g.client_hash, g.client_name, g.redirect_uri, g.code_challenge, g.session_id, g.inbox_address,
                       g.access, g.code_expires_at, g.used_at is not null as used, g.api_key_id
                from oauth_grant g where {g} and g.code_hash = :code""");
        return query.bind("code", code).first(row -> read(row, organization));
    }

    private static OAuthGrant read(Row row, UUID organization) {
        return new OAuthGrant(
                organization,
                new OAuthGrant.Binding(
                        row.bytes("client_hash"),
                        row.text("client_name"),
                        row.text("redirect_uri"),
                        row.text("code_challenge")),
                row.uuidOrNull("session_id"),
                new OAuthGrant.Choice(
                        row.textOrNull("inbox_address"),
                        OAuthAccess.valueOf(row.text("access").toUpperCase(Locale.ROOT))),
                row.instant("code_expires_at"),
                row.flag("used"),
                row.uuidOrNull("api_key_id"));
    }

    /** Uses a code up; false when it was used before. */
    static boolean use(Tx tx, UUID organization, byte[] code, Instant now) {
        return tx.sql(View.of(organization), """
                update oauth_grant g set used_at = :now where {g} and g.code_hash = :code and g.used_at is null""")
                        .bind("code", code)
                        .bind("now", now)
                        .run()
                == 1;
    }

    /** Notes that somebody tried a used code again. */
    static void replayed(Tx tx, UUID organization, byte[] code) {
        tx.sql(View.of(organization), "update oauth_grant g set replayed = true where {g} and g.code_hash = :code")
                .bind("code", code)
                .run();
    }

    /** Notes the key that a code gave; false when somebody tried the code again meanwhile. */
    static boolean gave(Tx tx, UUID organization, byte[] code, OAuthGrant.KeyEnd keyEnd) {
        return tx.sql(View.of(organization), """
                update oauth_grant g set api_key_id = :key, expires_at = :end
                where {g} and g.code_hash = :code and not g.replayed""")
                        .bind("code", code)
                        .bind("key", keyEnd.key())
                        .bind("end", keyEnd.end())
                        .run()
                == 1;
    }

    static boolean has(Tx tx, UUID organization, UUID key) {
        return tx.sql(View.of(organization), "select 1 as one from oauth_grant g where {g} and g.api_key_id = :key")
                .bind("key", key)
                .exists();
    }
}
