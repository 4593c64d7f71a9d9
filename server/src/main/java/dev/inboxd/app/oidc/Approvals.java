package dev.inboxd.app.oidc;

import dev.inboxd.app.account.Accounts;
import dev.inboxd.app.connect.CompactJws;
import dev.inboxd.app.registry.App;
import dev.inboxd.app.registry.AppSql;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.tenant.apikey.PublicKeys;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Approvals: a key of an inbox signs that this transaction is its sign-in (apps.md §6.3). */
public final class Approvals {
    /** The second is what public signers send; it is given out nowhere (ruling 36). */
    private static final List<String> TYPES = List.of("inbox-approval+jwt", "agentid-approval+jwt");

    private static final Set<String> MEMBERS = Set.of("jti", "inbox_id");
    private static final Set<String> OWNER_SCOPES = Set.of("owner_profile", "owner_email");
    private static final int MOST_FAILURES = 10;

    private final Database database;
    private final Transactions transactions;
    private final InstantSource clock;

    /** Approvals of these transactions. */
    public Approvals(Database database, Transactions transactions, InstantSource clock) {
        this.database = database;
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * Approves a transaction. Of any number of approvals, one succeeds.
     *
     * @param inboxName the inbox that signs in, as it stands beside the assertion
     * @throws Problem in the order of apps.md §6.3
     */
    void approve(String assertion, String inboxName) {
        CompactJws jws = CompactJws.ofAnyHeader("assertion", assertion);
        if (!jws.hasExactly(MEMBERS) || !inboxName.equals(jws.payload().get("inbox_id"))) {
            throw Problem.invalid(
                    "assertion",
                    "The payload of assertion must be exactly jti and inbox_id, and inbox_id the same as beside it");
        }
        String jti = jws.payload().getOrDefault("jti", "");
        if (!Transactions.isToken(jti)) {
            throw Problem.invalid("assertion", "jti must be the auth_token of the sign-in");
        }
        refuseFlood(jti);
        try {
            PublicKeys.Signer signer = signer(jws);
            Problem refused = database.write(
                    signer.key().organization(),
                    tx -> approve(tx, jti, inboxName, signer.key().id()));
            if (refused != null) {
                throw refused;
            }
        } catch (Problem failed) {
            database.runGlobal(tx -> {
                TransactionSql.failed(tx, jti);
            });
            throw failed;
        }
    }

    private void refuseFlood(String jti) {
        int failures = database.read(tx -> transactions.live(tx, jti))
                .map(Transaction::failures)
                .orElse(0);
        if (failures >= MOST_FAILURES) {
            throw Problem.of(
                            ErrorCode.RATE_LIMIT_EXCEEDED,
                            "Ten approvals of this sign-in have failed",
                            "Begin again at the app.")
                    .retryAfter(Duration.ofMinutes(10));
        }
    }

    private PublicKeys.Signer signer(CompactJws jws) {
        String kid = jws.header().getOrDefault("kid", "");
        return database.read(tx -> PublicKeys.organization(tx, kid)
                        .flatMap(organization ->
                                PublicKeys.signer(tx, organization, UUID.fromString(kid), clock.instant())))
                .filter(signer -> jws.isTyped(TYPES, true) && jws.isSignedBy(signer.material()))
                .orElseThrow(() -> Problem.of(
                        ErrorCode.UNAUTHORIZED,
                        "The approval is not signed by a key of this service",
                        "Sign with ES256 and name the api_key_id of a live public key as kid."));
    }

    /** @return the refusal of a transaction that was ended by this call, or null */
    private @Nullable Problem approve(Tx tx, String jti, String inboxName, UUID key) {
        Transaction transaction = transactions.live(tx, jti).orElseThrow(Transactions::expired);
        Instant now = tx.next().at();
        PublicKeys.Signer signer = PublicKeys.organization(tx, key.toString())
                .flatMap(organization -> PublicKeys.signer(tx, organization, key, now))
                .orElseThrow(() -> Problem.of(ErrorCode.UNAUTHORIZED, "The key was deleted"));
        UUID organization = signer.key().organization();
        Inbox inbox = inbox(tx, signer, inboxName).orElseThrow(() -> Problem.notFound("Inbox"));
        App app = AppSql.find(tx, transaction.request().app())
                .filter(App::isEnabled)
                .orElseThrow(Transactions::expired);
        if (!signer.key().held().contains(Permission.PROVIDER_CONNECT)) {
            throw Problem.of(
                    ErrorCode.MISSING_PERMISSION,
                    "Forbidden",
                    "The key needs the permission provider_connect. Register it from a key that holds it.");
        }
        requireOpen(transaction, inbox);
        Problem ended = ended(tx, app, inbox, organization);
        if (ended != null) {
            TransactionSql.deny(tx, jti);
            return ended;
        }
        Transaction.Binding binding =
                new Transaction.Binding(organization, inbox.id(), key, null, granted(transaction, signer), now);
        if (!TransactionSql.approve(tx, jti, binding, now)) {
            throw alreadyBound();
        }
        PublicKeys.used(tx, organization, key, now);
        return null;
    }

    /** The inbox of that very name, if the key covers it. */
    private static Optional<Inbox> inbox(Tx tx, PublicKeys.Signer signer, String name) {
        PublicKeys.LiveKey key = signer.key();
        return InboxScopeResolver.find(tx, View.of(key.organization()), name)
                .filter(inbox -> inbox.address().equals(name) && key.covers(inbox.pod(), inbox.id()));
    }

    private static void requireOpen(Transaction transaction, Inbox inbox) {
        Transaction.Binding bound = transaction.binding();
        boolean isOpen =
                transaction.status() == Transaction.Status.WAITING || transaction.status() == Transaction.Status.ENROLL;
        if (!isOpen || (bound != null && !bound.inbox().equals(inbox.id()))) {
            throw alreadyBound();
        }
    }

    private static Problem alreadyBound() {
        return Problem.of(
                ErrorCode.CONFLICT,
                "The sign-in is approved already, or bound to another inbox",
                "Begin again at the app.");
    }

    /** Why the inbox cannot sign in at all; a limit is thrown, and ends nothing. */
    private static @Nullable Problem ended(Tx tx, App app, Inbox inbox, UUID organization) {
        try {
            inbox.requireActive();
            Accounts.requireSignIn(tx, app, new Accounts.Holder(organization, inbox.id()));
            return null;
        } catch (Problem refused) {
            if (refused.code() == ErrorCode.FORBIDDEN || refused.code() == ErrorCode.INBOX_PAUSED) {
                return refused;
            }
            throw refused;
        }
    }

    /** Ruling 47: who is behind an inbox is told only by a key that may. */
    private static List<String> granted(Transaction transaction, PublicKeys.Signer signer) {
        boolean sharesOwner = signer.key().held().contains(Permission.PROVIDER_SHARE_OWNER);
        return transaction.request().scopes().stream()
                .filter(scope -> sharesOwner || !OWNER_SCOPES.contains(scope))
                .toList();
    }
}
