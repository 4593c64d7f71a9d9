package dev.inboxd.app.oidc;

import dev.inboxd.app.connect.SignInKeys;
import dev.inboxd.app.registry.App;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Digests;
import dev.inboxd.web.oauth.Redirect;
import dev.inboxd.web.oauth.RedirectError;
import dev.inboxd.web.oauth.SecretToken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Leads an approved transaction to its code, past the page that tells what the app learns (apps.md §6.4). */
public final class Continuations {
    private static final Duration REMEMBERED = Duration.ofDays(180);

    private final Database database;
    private final String issuer;

    /**
     * Continuations of the transactions of a database.
     *
     * @param issuer the public URL
     */
    public Continuations(Database database, String issuer) {
        this.database = database;
        this.issuer = issuer;
    }

    /** What the browser does next. */
    sealed interface Next {
        /** It goes back to the app. */
        record Back(String location) implements Next {}

        /**
         * It shows what the app will learn.
         *
         * @param consentToken good for one decision
         */
        record Disclosure(App app, String inbox, List<String> scopes, String consentToken) implements Next {}
    }

    /**
     * The next step of a browser's transaction.
     *
     * @throws Problem {@code conflict} before an approval, and after the end
     */
    Next next(Transaction transaction) {
        Transaction.Binding binding = transaction.binding();
        if (transaction.status() == Transaction.Status.DENIED) {
            return denied(transaction);
        }
        boolean isApproved = transaction.status() == Transaction.Status.APPROVED
                || transaction.status() == Transaction.Status.DISCLOSURE;
        if (binding == null || !isApproved) {
            throw Problem.of(
                    ErrorCode.CONFLICT,
                    transaction.status() == Transaction.Status.DONE
                            ? "The sign-in is finished"
                            : "The sign-in is not approved yet",
                    "Begin again at the app, or wait for the approval.");
        }
        return database.write(binding.organization(), tx -> next(tx, transaction, binding));
    }

    private Next next(Tx tx, Transaction transaction, Transaction.Binding binding) {
        Instant now = tx.next().at();
        Transaction.AppRequest request = transaction.request();
        Parties.Ids ids = new Parties.Ids(request.app(), Transactions.holder(binding), binding.key());
        Optional<Parties> parties = Parties.of(tx, ids, now);
        if (parties.isEmpty()) {
            TransactionSql.deny(tx, transaction.jti());
            return denied(transaction);
        }
        return isPageDue(tx, transaction, parties.get(), now)
                ? disclose(tx, transaction, parties.get())
                : finish(tx, transaction, now);
    }

    /** Ruling 46. */
    private static boolean isPageDue(Tx tx, Transaction transaction, Parties parties, Instant now) {
        UUID app = parties.app().id();
        if (transaction.request().isConsentDue()) {
            return true;
        }
        if (!parties.signer().isSignInKey()) {
            return false;
        }
        TransactionSql.Consent consent = consent(transaction);
        if (TransactionSql.isAccepted(tx, consent, now.minus(REMEMBERED))) {
            return false;
        }
        boolean accepted = SignInKeys.takeAcceptance(tx, parties.signer().key(), app, now);
        if (accepted) {
            TransactionSql.accepted(tx, consent, now);
        }
        return !accepted;
    }

    private static Transaction.Binding bound(Transaction transaction) {
        Transaction.Binding binding = transaction.binding();
        if (binding == null) {
            throw new IllegalStateException("an approved transaction is bound");
        }
        return binding;
    }

    private static TransactionSql.Consent consent(Transaction transaction) {
        Transaction.Binding binding = bound(transaction);
        String scopes = String.join(" ", TransactionSql.sorted(binding.granted()));
        return new TransactionSql.Consent(
                binding.organization(),
                binding.inbox(),
                transaction.request().app(),
                Digests.sha256(transaction.request().redirectUri() + "\n" + scopes));
    }

    private static Next disclose(Tx tx, Transaction transaction, Parties parties) {
        String token = SecretToken.next();
        if (!TransactionSql.disclose(tx, transaction.jti(), SecretToken.digest(token))) {
            throw finished();
        }
        return new Next.Disclosure(
                parties.app(), parties.inbox().address(), bound(transaction).granted(), token);
    }

    private Next finish(Tx tx, Transaction transaction, Instant now) {
        String code = SecretToken.next();
        if (!TransactionSql.finish(tx, transaction.jti())) {
            throw finished();
        }
        CodeSql.insert(tx, SecretToken.digest(code), Code.of(transaction, bound(transaction), now));
        return new Next.Back(new Redirect(transaction.request().redirectUri())
                .with("code", code)
                .with("state", transaction.request().echo().state())
                .with("iss", issuer)
                .toString());
    }

    private static Problem finished() {
        return Problem.of(ErrorCode.CONFLICT, "The sign-in is finished", "Begin again at the app.");
    }

    private Next denied(Transaction transaction) {
        Transaction.AppRequest request = transaction.request();
        return new Next.Back(new RedirectError(
                        "access_denied",
                        "The inbox did not sign in",
                        request.redirectUri(),
                        request.echo().state())
                .location(issuer));
    }

    /**
     * The decision on the disclosure page.
     *
     * @param isAccepted whether the inbox goes on
     * @throws Problem {@code conflict} for a token that is not that of the page shown last
     */
    void decide(Transaction transaction, String consentToken, boolean isAccepted) {
        Transaction.Binding binding = transaction.binding();
        if (binding == null
                || transaction.status() != Transaction.Status.DISCLOSURE
                || !SecretToken.matches(transaction.consentDigest(), consentToken)) {
            throw stale();
        }
        database.run(binding.organization(), tx -> {
            Instant now = tx.next().at();
            if (!TransactionSql.accept(tx, transaction.jti(), SecretToken.digest(consentToken))) {
                throw stale();
            }
            if (isAccepted) {
                TransactionSql.accepted(tx, consent(transaction), now);
            } else {
                TransactionSql.deny(tx, transaction.jti());
            }
        });
    }

    private static Problem stale() {
        return Problem.of(
                ErrorCode.CONFLICT, "This page was answered already, or is not the one shown last", "Load it again.");
    }
}
