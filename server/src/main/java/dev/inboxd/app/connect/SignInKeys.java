package dev.inboxd.app.connect;

import dev.inboxd.app.account.Accounts;
import dev.inboxd.app.registry.App;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.P256Key;
import dev.inboxd.tenant.apikey.PublicKeys;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.web.oauth.SecretToken;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sign-in keys: asked for by a bearer key, made by the client that will hold the sign-in (apps.md §4, §5 and §6.9). */
public final class SignInKeys {
    /** How long a pending key waits for its public half. */
    public static final Duration PENDING = Duration.ofMinutes(5);

    private static final Duration ACCEPTED = Duration.ofMinutes(30);
    private static final int CHALLENGE_BYTES = 32;
    private static final List<String> TYPES = List.of("inbox-enrollment+jwt");
    private static final Set<String> MEMBERS = Set.of("challenge", "api_key_id", "inbox_id", "fingerprint");

    private SignInKeys() {}

    /**
     * A request of a bearer key that an inbox may sign in at an app.
     *
     * @param acceptsDisclosure whether the page that tells what the app learns is accepted already
     */
    public record SignInRequest(Caller caller, App app, Inbox inbox, boolean acceptsDisclosure) {
        /** The organization of the inbox. */
        public UUID organization() {
            return caller.organization();
        }

        /** The key that asks. */
        public UUID bearer() {
            return caller.requireKey();
        }

        /**
         * Refuses what could not succeed.
         *
         * @throws Problem {@code missing_permission}, {@code inbox_paused}, {@code forbidden}, {@code limit_exceeded}
         */
        public void check(Tx tx) {
            if (acceptsDisclosure && app.client().mayAskForOwner() && !caller.holds(Permission.PROVIDER_SHARE_OWNER)) {
                throw caller.missing(Permission.PROVIDER_SHARE_OWNER.wireName());
            }
            inbox.requireActive();
            Accounts.requireSignIn(tx, app, new Accounts.Holder(organization(), inbox.id()));
        }
    }

    /**
     * Makes a pending key, in the transaction of the request.
     *
     * @param jti the transaction that it is made for; null for a link
     */
    public static SignInKey open(Tx tx, SignInRequest request, @Nullable String jti, Instant now) {
        Inbox inbox = request.inbox();
        UUID id = Uuid7.next();
        PublicKeys.PendingKey pending = new PublicKeys.PendingKey(
                id,
                "Sign-in: " + request.app().listing().name(),
                new ApiKey.Owner(inbox.pod(), inbox.id(), inbox.address()),
                request.bearer(),
                request.caller().holds(Permission.PROVIDER_SHARE_OWNER),
                now,
                now.plus(PENDING));
        PublicKeys.insert(tx, request.organization(), pending);
        SignInKey key = new SignInKey(
                request.organization(),
                id,
                inbox.id(),
                request.app().id(),
                request.bearer(),
                jti,
                request.acceptsDisclosure(),
                jti == null ? null : new SignInKey.Challenge(randomChallenge(), null),
                now);
        SignInKeySql.insert(tx, key, inbox.pod());
        return key;
    }

    static byte[] randomChallenge() {
        return Base64.getUrlDecoder().decode(SecretToken.next(CHALLENGE_BYTES));
    }

    /** A challenge as clients read and sign it. */
    public static String text(SignInKey.Challenge challenge) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(challenge.bytes());
    }

    /**
     * A key that can be activated: its time is not over, it was not deleted, and its bearer may still ask for it.
     */
    public static Optional<SignInKey> pending(Tx tx, UUID organization, UUID key, Instant now) {
        return SignInKeySql.find(tx, organization, key)
                .filter(signInKey -> now.isBefore(signInKey.createdAt().plus(PENDING)))
                .filter(_ -> PublicKeys.exists(tx, organization, key))
                .filter(signInKey -> PublicKeys.live(tx, organization, signInKey.bearer(), now)
                        .filter(bearer -> bearer.held().contains(Permission.PROVIDER_CONNECT))
                        .isPresent());
    }

    /** The sign-in key of a row, pending or active. */
    public static Optional<SignInKey> find(Tx tx, UUID organization, UUID key) {
        return SignInKeySql.find(tx, organization, key);
    }

    /**
     * What the maker of a key sends.
     *
     * @param proof signed by the private half
     */
    public record Activation(UUID key, P256Key material, CompactJws proof) {}

    /**
     * Refuses a proof that does not belong to the key.
     *
     * @param inboxName the public id of its inbox
     * @throws Problem {@code validation_error}
     */
    static void requireProof(SignInKey key, Activation activation, String inboxName) {
        SignInKey.Challenge challenge = key.challenge();
        if (challenge == null || !isProven(activation, text(challenge), inboxName)) {
            throw Problem.invalid(
                    "proof",
                    "proof must be a JWS of type inbox-enrollment+jwt, signed with ES256 by the new key, over exactly"
                            + " challenge, api_key_id, inbox_id and fingerprint");
        }
    }

    /**
     * Activates a pending key.
     *
     * @throws Problem {@code conflict} when it is active already
     */
    static void activate(Tx tx, SignInKey key, P256Key material, Instant now) {
        if (!PublicKeys.activate(tx, key.organization(), new PublicKeys.NewHalf(key.id(), material, now))) {
            throw Problem.of(ErrorCode.CONFLICT, "The key is active already", "Sign with the key that was made first.");
        }
        SignInKeySql.activated(tx, key.organization(), key.id(), now);
    }

    private static boolean isProven(Activation activation, String challenge, String inboxName) {
        CompactJws proof = activation.proof();
        return proof.isTyped(TYPES, false)
                && proof.hasExactly(MEMBERS)
                && challenge.equals(proof.payload().get("challenge"))
                && activation.key().toString().equals(proof.payload().get("api_key_id"))
                && inboxName.equals(proof.payload().get("inbox_id"))
                && activation.material().fingerprint().equals(proof.payload().get("fingerprint"))
                && proof.isSignedBy(activation.material());
    }

    /**
     * Whether a key's bearer accepted what the app is told. That counts once, at the app it was asked for, for half an
     * hour.
     */
    public static boolean takeAcceptance(Tx tx, PublicKeys.LiveKey key, UUID app, Instant now) {
        boolean accepted = SignInKeySql.find(tx, key.organization(), key.id())
                .filter(signInKey -> signInKey.acceptsDisclosure()
                        && signInKey.app().equals(app)
                        && now.isBefore(signInKey.createdAt().plus(ACCEPTED)))
                .isPresent();
        if (accepted) {
            SignInKeySql.disclosureUsed(tx, key.organization(), key.id());
        }
        return accepted;
    }
}
