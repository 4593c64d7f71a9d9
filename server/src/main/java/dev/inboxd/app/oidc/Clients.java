package dev.inboxd.app.oidc;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import dev.inboxd.app.registry.App;
import dev.inboxd.app.registry.AppSql;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.web.oauth.OAuthError;
import dev.inboxd.web.oauth.OAuthParameters;
import dev.inboxd.web.oauth.SecretToken;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates apps at the token endpoint (OpenID Connect Core 1.0 §9). An unknown app takes the same statements and
 * the same comparisons as a wrong secret.
 */
final class Clients {
    private static final UUID NOBODY = new UUID(0, 0);
    private static final byte[] NO_SECRET = SecretToken.digest(SecretToken.next());

    private final Database database;

    Clients(Database database) {
        this.database = database;
    }

    /** What a request presents. */
    private record Credentials(
            App.ClientAuthMethod method,
            @Nullable String id,
            @Nullable String secret) {
        @Override
        public String toString() {
            return "Credentials[***]";
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Stored(@Nullable App app, List<byte[]> digests) {}

    /**
     * The app that sends a request.
     *
     * @param authorization the header, or null
     * @throws OAuthError {@code invalid_client}, or {@code invalid_request} for two ways at once
     */
    App authenticate(@Nullable String authorization, OAuthParameters parameters) {
        Credentials credentials = credentials(authorization, parameters);
        UUID id = credentials.id() == null ? null : Uuid7.parse(credentials.id());
        Stored stored = database.read(tx -> new Stored(
                AppSql.find(tx, id == null ? NOBODY : id).orElse(null), AppSql.secrets(tx, id == null ? NOBODY : id)));
        boolean isSecretRight = isSecretRight(stored, credentials.secret());
        App app = stored.app();
        boolean isPublic = credentials.method() == App.ClientAuthMethod.NONE;
        if (app == null
                || !app.isEnabled()
                || app.client().authMethod() != credentials.method()
                || !(isPublic || isSecretRight)) {
            throw OAuthError.invalidClient();
        }
        return app;
    }

    private static boolean isSecretRight(Stored stored, @Nullable String secret) {
        byte[] digest = Digests.sha256(secret == null ? "" : secret);
        boolean isRight = false;
        boolean hasSecret = secret != null && !secret.isEmpty();
        for (byte[] candidate : stored.digests().isEmpty() ? List.of(NO_SECRET) : stored.digests()) {
            isRight |= MessageDigest.isEqual(candidate, digest);
        }
        return isRight && hasSecret;
    }

    private static Credentials credentials(@Nullable String authorization, OAuthParameters parameters) {
        if (authorization == null) {
            return parameters.has("client_secret")
                    ? new Credentials(
                            App.ClientAuthMethod.CLIENT_SECRET_POST,
                            parameters.first("client_id"),
                            parameters.first("client_secret"))
                    : new Credentials(App.ClientAuthMethod.NONE, parameters.first("client_id"), null);
        }
        if (parameters.has("client_secret")) {
            throw OAuthError.invalidRequest("The client must authenticate in one way, not in two");
        }
        Credentials basic = basic(authorization);
        String named = parameters.first("client_id");
        if (named != null && !named.equals(basic.id())) {
            throw OAuthError.invalidRequest("client_id is not the client that authenticates");
        }
        return basic;
    }

    /** Both halves are form-encoded (RFC 6749 §2.3.1). */
    private static Credentials basic(String authorization) {
        if (!authorization.toLowerCase(Locale.ROOT).startsWith("basic ")) {
            throw OAuthError.invalidClient();
        }
        try {
            ClientSecretBasic basic = ClientSecretBasic.parse(authorization);
            return new Credentials(
                    App.ClientAuthMethod.CLIENT_SECRET_BASIC,
                    basic.getClientID().getValue(),
                    basic.getClientSecret().getValue());
        } catch (ParseException | IllegalArgumentException malformed) {
            throw OAuthError.invalidClient();
        }
    }
}
