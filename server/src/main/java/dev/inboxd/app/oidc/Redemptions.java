package dev.inboxd.app.oidc;

import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import dev.inboxd.app.account.Accounts;
import dev.inboxd.app.registry.App;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.Problem;
import dev.inboxd.web.oauth.OAuthError;
import dev.inboxd.web.oauth.SecretToken;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Redeems codes for tokens, and tells what a token stands for (apps.md §6.6 and §6.7). */
public final class Redemptions {
    private static final int SHORTEST_VERIFIER = 43;
    private static final int LONGEST_VERIFIER = 128;
    private static final String PREFIX = "at_";

    private final Database database;
    private final IdTokens idTokens;
    private final Claims claims;
    private final InstantSource clock;

    Redemptions(Database database, IdTokens idTokens, Claims claims, InstantSource clock) {
        this.database = database;
        this.idTokens = idTokens;
        this.claims = claims;
        this.clock = clock;
    }

    /** What an app sends to redeem a code. */
    record Grant(
            App app,
            String code,
            @Nullable String redirectUri,
            @Nullable String verifier) {
        @Override
        public String toString() {
            return "Grant[***]";
        }
    }

    /** The tokens of a redeemed code. */
    record Tokens(String accessToken, String idToken, String scope) {
        @Override
        public String toString() {
            return "Tokens[***]";
        }
    }

    /**
     * Redeems a code: once, within its minute, by the app it was made for. A second time ends the token that it gave.
     *
     * @throws OAuthError {@code invalid_grant}
     */
    Tokens redeem(Grant grant) {
        byte[] digest = SecretToken.digest(grant.code());
        Code code = database.read(tx -> CodeSql.find(tx, digest)).orElseThrow(Redemptions::unknown);
        try {
            Optional<Tokens> tokens = database.write(code.organization(), tx -> redeem(tx, digest, grant));
            return tokens.orElseThrow(() -> OAuthError.invalidGrant("The code was redeemed before"));
        } catch (Problem refused) {
            throw OAuthError.invalidGrant(refused.message());
        }
    }

    private static OAuthError unknown() {
        return OAuthError.invalidGrant("The code is unknown, has expired, or belongs to another request");
    }

    /** @return empty when the code was used before; then its token ends with this transaction */
    private Optional<Tokens> redeem(Tx tx, byte[] digest, Grant grant) {
        Instant now = tx.next().at();
        Code code = CodeSql.find(tx, digest).orElseThrow(Redemptions::unknown);
        if (!fits(code, grant)) {
            throw unknown();
        }
        if (code.usedAt() != null) {
            byte[] token = code.tokenDigest();
            if (token != null) {
                CodeSql.deleteToken(tx, token);
            }
            return Optional.empty();
        }
        if (!now.isBefore(code.expiresAt())) {
            throw unknown();
        }
        Accounts.Holder holder = new Accounts.Holder(code.organization(), code.inbox());
        Parties parties = Parties.of(tx, new Parties.Ids(grant.app().id(), holder, code.key()), now)
                .orElseThrow(() -> OAuthError.invalidGrant("The inbox, its key or its account no longer signs in"));
        Accounts.signIn(tx, parties.app(), holder, now);
        String accessToken = PREFIX + SecretToken.next();
        byte[] tokenDigest = SecretToken.digest(accessToken);
        if (!CodeSql.use(tx, digest, tokenDigest, now)) {
            throw unknown();
        }
        CodeSql.insertToken(
                tx,
                tokenDigest,
                new CodeSql.AccessToken(
                        parties.app().id(),
                        code.organization(),
                        code.inbox(),
                        code.key(),
                        code.scopes(),
                        now.plus(IdTokens.LIFE)));
        Map<String, Object> inboxClaims = Claims.ofInbox(code.organization(), parties.inbox(), code.scopes());
        String idToken = idTokens.make(parties.app(), code, inboxClaims, new IdTokens.Moment(accessToken, now));
        return Optional.of(new Tokens(accessToken, idToken, String.join(" ", code.scopes())));
    }

    private static boolean fits(Code code, Grant grant) {
        return code.client().app().equals(grant.app().id())
                && code.client().redirectUri().equals(grant.redirectUri())
                && isVerified(code.client().codeChallenge(), grant.verifier());
    }

    /** RFC 7636 §4.6: a verifier if and only if there was a challenge. */
    private static boolean isVerified(@Nullable String challenge, @Nullable String verifier) {
        if (challenge == null || verifier == null) {
            return challenge == null && verifier == null;
        }
        boolean isValid = verifier.length() >= SHORTEST_VERIFIER
                && verifier.length() <= LONGEST_VERIFIER
                && verifier.chars().allMatch(Redemptions::isUnreserved);
        return isValid
                && MessageDigest.isEqual(
                        CodeChallenge.compute(CodeChallengeMethod.S256, new CodeVerifier(verifier))
                                .getValue()
                                .getBytes(StandardCharsets.US_ASCII),
                        challenge.getBytes(StandardCharsets.US_ASCII));
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0;
    }

    /** What an access token tells; empty when it is unknown or over, or its key, inbox or account has ended. */
    Optional<Map<String, Object>> userinfo(String accessToken) {
        if (!accessToken.startsWith(PREFIX)) {
            return Optional.empty();
        }
        byte[] digest = SecretToken.digest(accessToken);
        Instant now = clock.instant();
        return database.read(tx -> CodeSql.token(tx, digest)
                .filter(token -> now.isBefore(token.expiresAt()))
                .flatMap(token -> userinfo(tx, token, now)));
    }

    private Optional<Map<String, Object>> userinfo(Tx tx, CodeSql.AccessToken token, Instant now) {
        UUID organization = token.organization();
        Accounts.Holder holder = new Accounts.Holder(organization, token.inbox());
        return Parties.of(tx, new Parties.Ids(token.app(), holder, token.key()), now)
                .map(parties -> {
                    Map<String, Object> all =
                            new LinkedHashMap<>(Claims.ofInbox(organization, parties.inbox(), token.scopes()));
                    all.putAll(claims.ofOwner(tx, organization, token.scopes()));
                    return all;
                });
    }
}
