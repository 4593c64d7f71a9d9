package dev.inboxd.app.oidc;

import dev.inboxd.base.database.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of codes and of access tokens. */
final class CodeSql {
    private CodeSql() {}

    static void insert(Tx tx, byte[] digest, Code code) {
        tx.sql("""
                insert into oidc_code (hash, app_id, redirect_uri, code_challenge, nonce, organization_id, inbox_id,
                                       api_key_id, scopes, approved_at, expires_at)
                values (:hash, :app, :redirect, :challenge, :nonce, :organization, :inbox, :key, :scopes, :approved,
                        :expires)""")
                .bind("hash", digest)
                .bind("app", code.client().app())
                .bind("redirect", code.client().redirectUri())
                .bind("challenge", code.client().codeChallenge())
                .bind("nonce", code.client().nonce())
                .bind("organization", code.organization())
                .bind("inbox", code.inbox())
                .bind("key", code.key())
                .bind("scopes", code.scopes().toArray(String[]::new))
                .bind("approved", code.approvedAt())
                .bind("expires", code.expiresAt())
                .run();
    }

    static Optional<Code> find(Tx tx, byte[] digest) {
        return tx.sql("""
                select c.app_id, c.redirect_uri, c.code_challenge, c.nonce, c.organization_id, c.inbox_id, c.api_key_id,
                    c.scopes, c.approved_at, c.expires_at, c.used_at, c.token_hash
                from oidc_code c where c.hash = :hash""")
                .bind("hash", digest)
                .first(row -> new Code(
                        new Code.Client(
                                row.uuid("app_id"),
                                row.text("redirect_uri"),
                                row.textOrNull("code_challenge"),
                                row.textOrNull("nonce")),
                        row.uuid("organization_id"),
                        row.uuid("inbox_id"),
                        row.uuid("api_key_id"),
                        row.texts("scopes"),
                        row.instant("approved_at"),
                        row.instant("expires_at"),
                        row.instantOrNull("used_at"),
                        row.bytesOrNull("token_hash")));
    }

    /** Uses a code up; false when it was used before. */
    static boolean use(Tx tx, byte[] digest, byte[] tokenDigest, Instant now) {
        return tx.sql("update oidc_code set used_at = :now, token_hash = :token where hash = :hash and used_at is null")
                        .bind("hash", digest)
                        .bind("token", tokenDigest)
                        .bind("now", now)
                        .run()
                == 1;
    }

    /** What an access token stands for. */
    record AccessToken(UUID app, UUID organization, UUID inbox, UUID key, List<String> scopes, Instant expiresAt) {}

    static void insertToken(Tx tx, byte[] digest, AccessToken token) {
        tx.sql("""
                insert into oidc_token (hash, app_id, organization_id, inbox_id, api_key_id, scopes, expires_at)
                values (:hash, :app, :organization, :inbox, :key, :scopes, :expires)""")
                .bind("hash", digest)
                .bind("app", token.app())
                .bind("organization", token.organization())
                .bind("inbox", token.inbox())
                .bind("key", token.key())
                .bind("scopes", token.scopes().toArray(String[]::new))
                .bind("expires", token.expiresAt())
                .run();
    }

    static Optional<AccessToken> token(Tx tx, byte[] digest) {
        return tx.sql("select t.app_id, t.organization_id, t.inbox_id, t.api_key_id, t.scopes, t.expires_at"
                        + " from oidc_token t where t.hash = :hash")
                .bind("hash", digest)
                .first(row -> new AccessToken(
                        row.uuid("app_id"),
                        row.uuid("organization_id"),
                        row.uuid("inbox_id"),
                        row.uuid("api_key_id"),
                        row.texts("scopes"),
                        row.instant("expires_at")));
    }

    static void deleteToken(Tx tx, byte[] digest) {
        tx.sql("delete from oidc_token where hash = :hash").bind("hash", digest).run();
    }
}
