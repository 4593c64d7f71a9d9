package dev.inboxd.account.session;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Creates and verifies session tokens: JWTs (RFC 7519) signed with ES256 (RFC 7518 §3.4), with a type of their own, so
 * that no other token of this service is accepted as one (RFC 8725 §3.11). A token names its session; the session's row
 * tells whether it has ended.
 */
final class SessionTokens {
    /**
     * How long a token is valid; it can be renewed as long as the session lasts. A token on a trusted device is valid
     * for the whole session, as nobody renews it overnight; its row ends it at once.
     */
    static final Duration VALID = Duration.ofHours(1);

    /** Of owners. Earlier revisions take it, and let whoever has one do everything. */
    private static final JOSEObjectType OWNER = new JOSEObjectType("console+jwt");

    /** Of other people: nodes of earlier revisions, which know no roles, refuse it. */
    private static final JOSEObjectType PERSON = new JOSEObjectType("console-person+jwt");

    private static final int LONGEST = 2_048;

    private final SessionKeys keys;
    private final String issuer;
    private final InstantSource clock;

    /**
     * @param issuer the public URL of the service
     */
    SessionTokens(SessionKeys keys, URI issuer, InstantSource clock) {
        this.keys = keys;
        this.issuer = issuer.toString();
        this.clock = clock;
    }

    /** A token, and when it expires. */
    record Token(String text, Instant expiresAt) {
        @Override
        public String toString() {
            return "Token[***]";
        }
    }

    /**
     * The claims of a valid token.
     *
     * @param owners whether it was made for an owner, and is good for nobody else
     */
    record Claims(UUID organization, UUID session, UUID user, boolean owners) {}

    /** Creates a token of a session. */
    Token make(OpenSession open) {
        Session session = open.session();
        Instant now = Instant.ofEpochSecond(clock.instant().getEpochSecond());
        Instant end = session.isDeviceTrusted() || now.plus(VALID).isAfter(session.expiresAt())
                ? session.expiresAt()
                : now.plus(VALID);
        ECKey key = keys.current(now);
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .type(open.stored().role() == Role.OWN ? OWNER : PERSON)
                        .keyID(key.getKeyID())
                        .build(),
                new JWTClaimsSet.Builder()
                        .issuer(issuer)
                        .subject(session.user().toString())
                        .claim("org", session.organization().toString())
                        .claim("sid", session.id().toString())
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(end))
                        .build());
        try {
            token.sign(new ECDSASigner(key));
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
        return new Token(token.serialize(), Instant.ofEpochSecond(end.getEpochSecond()));
    }

    /**
     * Verifies a token.
     *
     * @throws Problem {@code unauthorized} for every token that this service did not issue, was altered, or has expired
     */
    Claims read(String text) {
        if (text.length() > LONGEST) {
            throw invalid();
        }
        try {
            SignedJWT token = SignedJWT.parse(text);
            JWSHeader header = token.getHeader();
            Optional<ECKey> key = isExpected(header) ? keys.find(header.getKeyID()) : Optional.empty();
            if (key.isEmpty() || !token.verify(new ECDSAVerifier(key.get().toPublicJWK()))) {
                throw invalid();
            }
            return claims(token.getJWTClaimsSet(), OWNER.equals(header.getType()));
        } catch (ParseException | JOSEException malformed) {
            throw invalid();
        }
    }

    /** The service determines the algorithm, and not the token (RFC 8725 §3.1). */
    private static boolean isExpected(JWSHeader header) {
        return JWSAlgorithm.ES256.equals(header.getAlgorithm())
                && (OWNER.equals(header.getType()) || PERSON.equals(header.getType()))
                && header.getKeyID() != null;
    }

    private Claims claims(JWTClaimsSet claims, boolean owners) throws ParseException {
        Date end = claims.getExpirationTime();
        if (end == null || !end.toInstant().isAfter(clock.instant())) {
            throw Problem.of(
                    ErrorCode.UNAUTHORIZED,
                    "The session token has expired",
                    "Renew tokens before they end with POST /console/session/renew, or sign in again.");
        }
        UUID organization = id(claims.getStringClaim("org"));
        UUID session = id(claims.getStringClaim("sid"));
        UUID user = id(claims.getSubject());
        if (!issuer.equals(claims.getIssuer()) || organization == null || session == null || user == null) {
            throw invalid();
        }
        return new Claims(organization, session, user, owners);
    }

    private static @Nullable UUID id(@Nullable String text) {
        return text == null ? null : Uuid7.parse(text);
    }

    static Problem invalid() {
        return Problem.of(
                ErrorCode.UNAUTHORIZED,
                "The session token is not valid",
                "Sign in again with POST /console/sign-in, or send the header \"Authorization: Bearer <api_key>\".");
    }
}
