package dev.inboxd.app.oidc;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** The rows of transactions and of consents. Each step is one conditional UPDATE: of several callers, one wins. */
final class TransactionSql {
    private TransactionSql() {}

    static void insert(Tx tx, Transaction transaction) {
        Transaction.AppRequest request = transaction.request();
        tx.sql("""
                insert into oidc_transaction (jti, cookie_hash, app_id, redirect_uri, oauth_state, nonce, scopes,
                                              code_challenge, is_consent_due, login_hint, status, expires_at)
                values (:jti, :cookie, :app, :redirect, :state, :nonce, :scopes, :challenge, :consent, :hint, :status,
                        :expires)""")
                .bind("jti", transaction.jti())
                .bind("cookie", transaction.cookieDigest())
                .bind("app", request.app())
                .bind("redirect", request.redirectUri())
                .bind("state", request.echo().state())
                .bind("nonce", request.echo().nonce())
                .bind("scopes", request.scopes().toArray(String[]::new))
                .bind("challenge", request.codeChallenge())
                .bind("consent", request.isConsentDue())
                .bind("hint", request.loginHint())
                .bind("status", transaction.status().wireName())
                .bind("expires", transaction.expiresAt())
                .run();
    }

    static Optional<Transaction> find(Tx tx, String jti) {
        return tx.sql("""
                select t.jti, t.cookie_hash, t.app_id, t.redirect_uri, t.oauth_state, t.nonce, t.scopes,
                    t.code_challenge, t.is_consent_due, t.login_hint, t.status, t.failures, t.organization_id,
                    t.inbox_id, t.api_key_id, t.bearer_id, t.granted, t.consent_hash, t.approved_at, t.expires_at
                from oidc_transaction t where t.jti = :jti""").bind("jti", jti).first(TransactionSql::read);
    }

    private static Transaction read(Row row) {
        UUID organization = row.uuidOrNull("organization_id");
        return new Transaction(
                row.text("jti"),
                row.bytes("cookie_hash"),
                Transaction.Status.valueOf(row.text("status").toUpperCase(Locale.ROOT)),
                row.integer("failures"),
                new Transaction.AppRequest(
                        row.uuid("app_id"),
                        row.text("redirect_uri"),
                        new AuthorizationRequest.Echo(row.textOrNull("oauth_state"), row.textOrNull("nonce")),
                        row.texts("scopes"),
                        row.textOrNull("code_challenge"),
                        row.flag("is_consent_due"),
                        row.textOrNull("login_hint")),
                organization == null
                        ? null
                        : new Transaction.Binding(
                                organization,
                                row.uuid("inbox_id"),
                                row.uuid("api_key_id"),
                                row.uuidOrNull("bearer_id"),
                                row.texts("granted"),
                                row.instantOrNull("approved_at")),
                row.bytesOrNull("consent_hash"),
                row.instant("expires_at"));
    }

    static void failed(Tx tx, String jti) {
        tx.sql("update oidc_transaction set failures = failures + 1 where jti = :jti")
                .bind("jti", jti)
                .run();
    }

    /** Binds a waiting transaction to an inbox and the key that is to be made for it. */
    static boolean bind(Tx tx, String jti, Transaction.Binding binding, Instant now) {
        return tx.sql("""
                update oidc_transaction set status = 'enroll', organization_id = :organization, inbox_id = :inbox,
                    api_key_id = :key, bearer_id = :bearer
                where jti = :jti and status = 'waiting' and expires_at > :now""")
                        .bind("jti", jti)
                        .bind("organization", binding.organization())
                        .bind("inbox", binding.inbox())
                        .bind("key", binding.key())
                        .bind("bearer", binding.bearer())
                        .bind("now", now)
                        .run()
                == 1;
    }

    /** Approves a transaction that is bound to nobody, or to this inbox. */
    static boolean approve(Tx tx, String jti, Transaction.Binding binding, Instant now) {
        return tx.sql("""
                update oidc_transaction set status = 'approved', organization_id = :organization, inbox_id = :inbox,
                    bearer_id = case when api_key_id = :key then bearer_id end, api_key_id = :key, granted = :granted,
                    approved_at = :now
                where jti = :jti and status in ('waiting', 'enroll') and expires_at > :now
                    and (inbox_id is null or inbox_id = :inbox)""")
                        .bind("jti", jti)
                        .bind("organization", binding.organization())
                        .bind("inbox", binding.inbox())
                        .bind("key", binding.key())
                        .bind("granted", binding.granted().toArray(String[]::new))
                        .bind("now", now)
                        .run()
                == 1;
    }

    /** Ends a live transaction without a sign-in. */
    static void deny(Tx tx, String jti) {
        tx.sql("update oidc_transaction set status = 'denied', consent_hash = null"
                        + " where jti = :jti and status <> 'done'")
                .bind("jti", jti)
                .run();
    }

    /** Shows the disclosure page, whose token is good once. */
    static boolean disclose(Tx tx, String jti, byte[] consentDigest) {
        return tx.sql("update oidc_transaction set status = 'disclosure', consent_hash = :consent"
                                + " where jti = :jti and status in ('approved', 'disclosure')")
                        .bind("jti", jti)
                        .bind("consent", consentDigest)
                        .run()
                == 1;
    }

    /** Uses the token of the disclosure page up. */
    static boolean accept(Tx tx, String jti, byte[] consentDigest) {
        return tx.sql("update oidc_transaction set status = 'approved', consent_hash = null, is_consent_due = false"
                                + " where jti = :jti and status = 'disclosure' and consent_hash = :consent")
                        .bind("jti", jti)
                        .bind("consent", consentDigest)
                        .run()
                == 1;
    }

    static boolean finish(Tx tx, String jti) {
        return tx.sql("update oidc_transaction set status = 'done'"
                                + " where jti = :jti and status in ('approved', 'disclosure')")
                        .bind("jti", jti)
                        .run()
                == 1;
    }

    /** What an inbox agreed that an app is told. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Consent(UUID organization, UUID inbox, UUID app, byte[] digest) {}

    static boolean isAccepted(Tx tx, Consent consent, Instant since) {
        return tx.sql(View.of(consent.organization()), """
                select c.accepted_at from oidc_consent c
                where {c} and c.inbox_id = :inbox and c.app_id = :app and c.hash = :hash and c.accepted_at > :since""")
                .bind("inbox", consent.inbox())
                .bind("app", consent.app())
                .bind("hash", consent.digest())
                .bind("since", since)
                .first(row -> row.instant("accepted_at"))
                .isPresent();
    }

    static void accepted(Tx tx, Consent consent, Instant now) {
        tx.sql(View.of(consent.organization()), """
                insert into oidc_consent (organization_id, inbox_id, app_id, hash, accepted_at)
                values ({organization}, :inbox, :app, :hash, :now)
                on conflict (organization_id, inbox_id, app_id, hash)
                do update set accepted_at = excluded.accepted_at""")
                .bind("inbox", consent.inbox())
                .bind("app", consent.app())
                .bind("hash", consent.digest())
                .bind("now", now)
                .run();
    }

    static List<String> sorted(List<String> scopes) {
        return scopes.stream().sorted().toList();
    }
}
