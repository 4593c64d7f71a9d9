package dev.inboxd.app.oidc;

import dev.inboxd.app.account.Accounts;
import dev.inboxd.app.connect.SignInKey;
import dev.inboxd.app.connect.SignInKeys;
import dev.inboxd.app.registry.App;
import dev.inboxd.app.registry.AppSql;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.web.oauth.SecretToken;
import dev.inboxd.web.oauth.SignInLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs of authorizations: begun by a browser, bound to an inbox, watched (apps.md §4 to §6). */
public final class Transactions {
    /** How long one lives. */
    static final Duration LIFE = Duration.ofMinutes(10);

    private static final int TOKEN_BYTES = 16;
    private static final int TOKEN_CHARACTERS = 22;

    private final Database database;
    private final SignInLimits limits;
    private final InstantSource clock;

    /** The transactions of a database. */
    public Transactions(Database database, SignInLimits limits, InstantSource clock) {
        this.database = database;
        this.limits = limits;
        this.clock = clock;
    }

    /** Whether a text has the form of an auth_token. */
    static boolean isToken(String text) {
        return text.length() == TOKEN_CHARACTERS
                && text.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || c == '-'
                                || c == '_');
    }

    /** A transaction that has begun, with the secret that its browser keeps. */
    record Begun(Transaction transaction, String cookie) {
        @Override
        public String toString() {
            return "Begun[***]";
        }
    }

    /** The app of a client_id, if inboxes may sign in there. */
    Optional<App> app(@Nullable UUID id) {
        return id == null
                ? Optional.empty()
                : database.read(tx -> AppSql.find(tx, id)).filter(App::isEnabled);
    }

    /** Begins a transaction. */
    Begun begin(AuthorizationRequest request) {
        String cookie = SecretToken.next();
        Transaction transaction = new Transaction(
                SecretToken.next(TOKEN_BYTES),
                SecretToken.digest(cookie),
                Transaction.Status.WAITING,
                0,
                new Transaction.AppRequest(
                        request.app().id(),
                        request.redirectUri(),
                        request.echo(),
                        request.scopes(),
                        request.codeChallenge(),
                        request.isConsentDue(),
                        request.loginHint()),
                null,
                null,
                clock.instant().plus(LIFE));
        database.runGlobal(tx -> {
            TransactionSql.insert(tx, transaction);
        });
        return new Begun(transaction, cookie);
    }

    /**
     * The transaction of a browser.
     *
     * @param cookie what the browser keeps, or null
     * @throws Problem {@code unauthorized} without the cookie of this transaction, {@code not_found} when it is over
     */
    Transaction ofBrowser(String jti, @Nullable String cookie) {
        if (cookie == null) {
            throw strangeBrowser();
        }
        Transaction transaction = database.read(tx -> live(tx, jti)).orElseThrow(Transactions::expired);
        if (!SecretToken.matches(transaction.cookieDigest(), cookie)) {
            throw strangeBrowser();
        }
        return transaction;
    }

    private static Problem strangeBrowser() {
        return Problem.of(
                ErrorCode.UNAUTHORIZED,
                "This sign-in was begun in another browser",
                "Go on in the browser in which it began, or begin again at the app.");
    }

    static Problem expired() {
        return Problem.notFound("Sign-in").withFix("It is over, or ten minutes have passed. Begin again at the app.");
    }

    /** A transaction whose time is not over. */
    Optional<Transaction> live(Tx tx, String jti) {
        return isToken(jti)
                ? TransactionSql.find(tx, jti)
                        .filter(transaction -> clock.instant().isBefore(transaction.expiresAt()))
                : Optional.empty();
    }

    /** What a bearer key wants: that a waiting browser signs in as this inbox. */
    record BindRequest(Caller caller, Inbox inbox, String token, boolean acceptsDisclosure) {}

    /**
     * Binds a waiting transaction to an inbox and makes the sign-in key that its browser then activates. The same call
     * again gives the same key.
     *
     * @return the id of the key
     * @throws Problem as apps.md §4 lists them
     */
    Outcome<UUID> authorize(BindRequest bindRequest) {
        UUID organization = bindRequest.caller().organization();
        UUID bearer = bindRequest.caller().requireKey();
        Transaction before = database.read(tx -> live(tx, bindRequest.token())).orElseThrow(() -> notFound());
        if (before.binding() == null) {
            limits.connecting(organization, bearer);
        }
        return database.write(organization, tx -> {
            Transaction now = live(tx, bindRequest.token())
                    .filter(candidate -> candidate.status() != Transaction.Status.DONE
                            && candidate.status() != Transaction.Status.DENIED)
                    .orElseThrow(() -> notFound());
            Transaction.Binding bound = now.binding();
            if (bound != null) {
                return Outcome.same(repeated(bound, bindRequest));
            }
            return Outcome.changed(bind(tx, now, bindRequest));
        });
    }

    private static Problem notFound() {
        return Problem.notFound("Transaction")
                .withFix("The auth_token is unknown, or its ten minutes are over. Open the sign-in page again and take"
                        + " the token that it shows.");
    }

    private static UUID repeated(Transaction.Binding bound, BindRequest bindRequest) {
        if (bound.inbox().equals(bindRequest.inbox().id())
                && bindRequest.caller().requireKey().equals(bound.bearer())) {
            return bound.key();
        }
        throw Problem.of(
                ErrorCode.CONFLICT,
                "Another inbox or another key has taken this sign-in",
                "Open the sign-in page again and take the token that it shows.");
    }

    private UUID bind(Tx tx, Transaction transaction, BindRequest bindRequest) {
        App app = AppSql.find(tx, transaction.request().app())
                .filter(App::isEnabled)
                .orElseThrow(() -> Problem.notFound("App"));
        SignInKeys.SignInRequest request = new SignInKeys.SignInRequest(
                bindRequest.caller(), app, bindRequest.inbox(), bindRequest.acceptsDisclosure());
        request.check(tx);
        Instant now = tx.next().at();
        SignInKey key = SignInKeys.open(tx, request, transaction.jti(), now);
        Transaction.Binding binding = new Transaction.Binding(
                request.organization(), bindRequest.inbox().id(), key.id(), request.bearer(), List.of(), null);
        if (!TransactionSql.bind(tx, transaction.jti(), binding, now)) {
            throw Problem.of(
                    ErrorCode.CONFLICT,
                    "Another call has taken this sign-in a moment ago",
                    "Open the sign-in page again and take the token that it shows.");
        }
        return key.id();
    }

    /** What a waiting browser sees. */
    record Progress(Transaction.Status status, @Nullable Enrolment enrolment) {}

    /** The key that the browser is to make. */
    record Enrolment(UUID key, String inbox, String challenge, Instant expiresAt) {}

    /** How far a transaction is. A key whose bearer lost its permission is not offered any more. */
    Progress progress(Transaction transaction) {
        Transaction.Binding binding = transaction.binding();
        if (transaction.status() != Transaction.Status.ENROLL || binding == null) {
            return new Progress(transaction.status(), null);
        }
        return database.read(tx -> SignInKeys.pending(tx, binding.organization(), binding.key(), clock.instant())
                .flatMap(key -> Parties.inbox(tx, binding.organization(), binding.inbox())
                        .map(inbox -> new Progress(
                                Transaction.Status.ENROLL,
                                new Enrolment(
                                        key.id(),
                                        inbox.address(),
                                        challenge(key),
                                        key.createdAt().plus(SignInKeys.PENDING)))))
                .orElse(new Progress(Transaction.Status.ENROLL, null)));
    }

    private static String challenge(SignInKey key) {
        SignInKey.Challenge challenge = key.challenge();
        return challenge == null ? "" : SignInKeys.text(challenge);
    }

    /** Whether an account is one that may not sign in now. */
    static Accounts.Holder holder(Transaction.Binding binding) {
        return new Accounts.Holder(binding.organization(), binding.inbox());
    }
}
