package dev.inboxd.account.oauth;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.web.oauth.OAuthError;
import dev.inboxd.web.oauth.SecretToken;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Codes that people give to programs, and the keys that programs get for them. A key is made by the call of the API
 * that makes every key, with the rights of the person at that moment, so it is in lists and in the audit log.
 */
public final class OAuthGrants {
    /** How long a code is good. */
    private static final Duration CODE_LIFE = Duration.ofSeconds(60);
    /** How long a key is good; then the person is asked again. */
    static final Duration KEY_LIFE = Duration.ofDays(30);

    private static final Duration KEPT_UNUSED = Duration.ofHours(1);
    private static final int ORGANIZATION_DIGITS = 32;
    private static final int SHORTEST_VERIFIER = 43;
    private static final int LONGEST_VERIFIER = 128;
    private static final String KEYS = "api-keys";

    private final Database database;
    private final LocalCalls calls;
    private final ApiKeys keys;
    private final People people;
    private final InstantSource clock;

    OAuthGrants(Database database, OAuthServer.Makers makers, InstantSource clock) {
        this.database = database;
        this.calls = makers.calls();
        this.keys = makers.keys();
        this.people = makers.people();
        this.clock = clock;
    }

    /** Who consented, as they are now. */
    @FunctionalInterface
    public interface People {
        /**
         * A person.
         *
         * @param session null for the operator at an open console
         * @throws Problem {@code unauthorized} when the session has ended, or the console is not open any more
         */
        Caller person(UUID organization, @Nullable UUID session);
    }

    /**
     * What a client sends to redeem a code.
     *
     * @param client its client_id
     */
    record Redemption(String code, String client, String redirectUri, String verifier) {}

    /**
     * What it gets.
     *
     * @param secret the key
     */
    record IssuedToken(String secret, OAuthAccess access) {
        @Override
        public String toString() {
            return "Given[***]";
        }
    }

    /**
     * Lets a program in.
     *
     * @param person who says so
     * @return the code for the program
     */
    String give(Caller person, GrantRequest request, OAuthGrant.Choice choice) {
        UUID organization = person.organization();
        String code = organization.toString().replace("-", "") + SecretToken.next();
        OAuthClient client = request.client();
        OAuthGrant.Binding binding = new OAuthGrant.Binding(
                Digests.sha256(client.id()),
                client.title(),
                request.redirectUri().text(),
                request.challenge());
        UUID session = person.credential() instanceof Caller.Credential.Session(UUID id, Role _) ? id : null;
        database.run(organization, tx -> {
            Instant now = tx.next().at();
            OAuthGrantSql.insert(
                    tx,
                    SecretToken.digest(code),
                    new OAuthGrant(organization, binding, session, choice, now.plus(CODE_LIFE), false, null),
                    now.plus(KEPT_UNUSED));
        });
        return code;
    }

    /**
     * Makes the key of a code: once, within its minute, for the client that it was given to. A second time ends the key
     * (RFC 6749 §4.1.2).
     *
     * @throws OAuthError {@code invalid_grant}
     */
    IssuedToken redeem(Request outer, Redemption redemption) {
        UUID organization = organization(redemption.code());
        byte[] digest = SecretToken.digest(redemption.code());
        if (organization == null
                || database.read(tx -> OAuthGrantSql.find(tx, organization, digest))
                        .isEmpty()) {
            throw unknown();
        }
        Optional<OAuthGrant> used = database.write(organization, tx -> use(tx, organization, digest, redemption));
        OAuthGrant grant = used.orElseThrow(() -> OAuthError.invalidGrant("The code was redeemed before"));
        try {
            return make(outer, grant, digest);
        } catch (Problem refused) {
            throw OAuthError.invalidGrant(refused.message());
        }
    }

    private static OAuthError unknown() {
        return OAuthError.invalidGrant("The code is unknown, has expired, or belongs to another request");
    }

    private static @Nullable UUID organization(String code) {
        if (code.length() <= ORGANIZATION_DIGITS || code.length() > 128) {
            return null;
        }
        String digits = code.substring(0, ORGANIZATION_DIGITS);
        return Uuid7.parse(digits.replaceFirst("^(.{8})(.{4})(.{4})(.{4})(.{12})$", "$1-$2-$3-$4-$5"));
    }

    /** @return empty when the code was used before; then its key ends with this transaction */
    private static Optional<OAuthGrant> use(Tx tx, UUID organization, byte[] digest, Redemption redemption) {
        Instant now = tx.next().at();
        OAuthGrant grant = OAuthGrantSql.find(tx, organization, digest).orElseThrow(OAuthGrants::unknown);
        if (!fits(grant.binding(), redemption)) {
            throw unknown();
        }
        if (grant.isUsed()) {
            OAuthGrantSql.replayed(tx, organization, digest);
            if (grant.key() != null) {
                ApiKeys.revoke(tx, organization, grant.key());
            }
            return Optional.empty();
        }
        if (!now.isBefore(grant.codeExpiresAt()) || !OAuthGrantSql.use(tx, organization, digest, now)) {
            throw unknown();
        }
        return Optional.of(grant);
    }

    private static boolean fits(OAuthGrant.Binding binding, Redemption redemption) {
        String verifier = redemption.verifier();
        boolean isVerifier = verifier.length() >= SHORTEST_VERIFIER
                && verifier.length() <= LONGEST_VERIFIER
                && verifier.chars().allMatch(OAuthGrants::isUnreserved);
        // RFC 7636 §4.6
        String challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(Digests.sha256(verifier));
        return isVerifier
                && MessageDigest.isEqual(binding.client(), Digests.sha256(redemption.client()))
                && binding.redirectUri().equals(redemption.redirectUri())
                && MessageDigest.isEqual(
                        challenge.getBytes(StandardCharsets.US_ASCII),
                        binding.challenge().getBytes(StandardCharsets.US_ASCII));
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0;
    }

    private IssuedToken make(Request outer, OAuthGrant grant, byte[] digest) {
        Caller person = people.person(grant.organization(), grant.session());
        String inbox = grant.choice().inbox();
        Instant end = clock.instant().plus(KEY_LIFE);
        JsonObject body = grant.choice()
                .access()
                .addTo(
                        JsonObject.of("name", grant.binding().name()).with("expires_at", end),
                        person,
                        inbox == null ? Scope.ORGANIZATION : Scope.INBOX);
        Response answer = calls.call(
                outer,
                person,
                inbox == null ? LocalCall.post(body, KEYS) : LocalCall.post(body, "inboxes", inbox, KEYS));
        JsonTree createdKey =
                answer.body() instanceof Response.Body.Bytes bytes ? JsonTree.of(bytes.content()) : JsonTree.EMPTY;
        UUID key = UUID.fromString(createdKey.text("api_key_id"));
        boolean isKept = database.write(
                grant.organization(),
                tx -> OAuthGrantSql.gave(tx, grant.organization(), digest, new OAuthGrant.KeyEnd(key, end)));
        if (!isKept) {
            keys.delete(View.of(grant.organization()), key.toString());
            throw OAuthError.invalidGrant("The code was redeemed twice at the same time");
        }
        return new IssuedToken(createdKey.text("api_key"), grant.choice().access());
    }

    /** Whether a caller's key is one that a person gave to a program. */
    public boolean isGiven(Caller caller) {
        UUID key = caller.apiKeyId();
        return key != null && database.read(tx -> OAuthGrantSql.has(tx, caller.organization(), key));
    }
}
