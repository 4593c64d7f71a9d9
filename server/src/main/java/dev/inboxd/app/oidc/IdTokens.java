package dev.inboxd.app.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.token.BearerAccessToken;
import com.nimbusds.openid.connect.sdk.claims.AccessTokenHash;
import dev.inboxd.app.registry.App;
import dev.inboxd.base.id.Uuid7;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;

/** Makes ID tokens (OpenID Connect Core 1.0 §2). */
final class IdTokens {
    /** How long ID tokens and access tokens are good. */
    static final Duration LIFE = Duration.ofMinutes(10);

    private final ProviderKeys keys;
    private final String issuer;

    IdTokens(ProviderKeys keys, String issuer) {
        this.keys = keys;
        this.issuer = issuer;
    }

    /** What is bound to one answer. */
    record Moment(String accessToken, Instant at) {
        @Override
        public String toString() {
            return "Moment[***]";
        }
    }

    /** The token of a redeemed code, made at that moment. */
    String make(App app, Code code, Map<String, Object> claims, Moment moment) {
        App.IdTokenAlg alg = app.client().idTokenAlg();
        JWK key = keys.current(alg);
        JWSAlgorithm algorithm = JWSAlgorithm.parse(alg.name());
        Instant now = Instant.ofEpochSecond(moment.at().getEpochSecond());
        JWTClaimsSet.Builder set = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience(app.id().toString())
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(LIFE)))
                .jwtID(Uuid7.next().toString())
                .claim("auth_time", code.approvedAt().getEpochSecond())
                .claim("nonce", code.client().nonce())
                .claim("at_hash", hash(moment.accessToken(), algorithm))
                .claim("amr", List.of("swk"))
                .claim("scope", String.join(" ", code.scopes()));
        claims.forEach(set::claim);
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(algorithm)
                        .type(JOSEObjectType.JWT)
                        .keyID(key.getKeyID())
                        .build(),
                set.build());
        try {
            token.sign(signer(key));
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
        return token.serialize();
    }

    private static String hash(String accessToken, JWSAlgorithm algorithm) {
        return AccessTokenHash.compute(new BearerAccessToken(accessToken), algorithm, null)
                .getValue();
    }

    private static JWSSigner signer(JWK key) throws JOSEException {
        return switch (key.getKeyType().getValue()) {
            case "RSA" -> new RSASSASigner(key.toRSAKey());
            case "EC" -> new ECDSASigner(key.toECKey());
            default -> throw new IllegalStateException("a provider key has another type");
        };
    }
}
