package dev.inboxd.app.oidc;

import com.nimbusds.jose.jwk.JWK;
import dev.inboxd.app.connect.EnrolmentHttp;
import dev.inboxd.app.registry.App;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.web.oauth.OAuthError;
import dev.inboxd.web.oauth.OAuthParameters;
import dev.inboxd.web.oauth.SignInLimits;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What apps call by themselves: discovery, keys, token, userinfo (apps.md §6.1, §6.6, §6.7). */
public final class TokenHttp {
    private static final String FIVE_MINUTES = "max-age=300";

    /** Everything else is passed over. */
    private static final Set<String> READ =
            Set.of("client_id", "client_secret", "code", "code_verifier", "grant_type", "redirect_uri");

    private final Discovery discovery;
    private final ProviderKeys keys;
    private final Clients clients;
    private final Redemptions redemptions;
    private final SignInLimits limits;

    /** The parts that answer. */
    record Parts(Discovery discovery, ProviderKeys keys, Clients clients, Redemptions redemptions) {}

    TokenHttp(Parts parts, SignInLimits limits) {
        this.discovery = parts.discovery;
        this.keys = parts.keys;
        this.clients = parts.clients;
        this.redemptions = parts.redemptions;
        this.limits = limits;
    }

    /** Mounts the routes, which take no API key. */
    public void mount(Routes root) {
        root.get(Gate.PUBLIC, "/.well-known/openid-configuration", this::metadata);
        root.get(Gate.PUBLIC, "/.well-known/oauth-authorization-server", this::metadata);
        root.get(Gate.PUBLIC, "/v0/jwks.json", this::jwks);
        root.post(Gate.PUBLIC, "/v0/token", EnrolmentHttp.SMALL, this::token);
        root.get(Gate.PUBLIC, "/v0/userinfo", this::userinfo);
        root.post(Gate.PUBLIC, "/v0/userinfo", EnrolmentHttp.SMALL, this::userinfo);
    }

    private Response metadata(Request request) {
        limits.calling(request.remoteAddress());
        return Response.ok(discovery.json()).header("Cache-Control", FIVE_MINUTES);
    }

    private Response jwks(Request request) {
        limits.calling(request.remoteAddress());
        List<Map<String, Object>> published =
                keys.published().stream().map(JWK::toJSONObject).toList();
        return Response.ok(JsonObject.of("keys", published)).header("Cache-Control", FIVE_MINUTES);
    }

    private Response token(Request request) {
        limits.calling(request.remoteAddress());
        try {
            OAuthParameters parameters = OAuthParameters.ofForm(request);
            if (!parameters.repeated(READ).isEmpty()) {
                throw OAuthError.invalidRequest("A parameter stands twice");
            }
            App app = clients.authenticate(request.header("Authorization"), parameters);
            if (parameters.first("grant_type") == null) {
                throw OAuthError.invalidRequest("grant_type is missing");
            }
            if (!"authorization_code".equals(parameters.first("grant_type"))) {
                throw new OAuthError(400, "unsupported_grant_type", "grant_type must be authorization_code");
            }
            String code = parameters.first("code");
            if (code == null || code.length() > 128) {
                throw code == null
                        ? OAuthError.invalidRequest("code is missing")
                        : OAuthError.invalidGrant("No such code");
            }
            Redemptions.Tokens tokens = redemptions.redeem(new Redemptions.Grant(
                    app, code, parameters.first("redirect_uri"), parameters.first("code_verifier")));
            return Response.ok(JsonObject.of("access_token", tokens.accessToken())
                            .with("token_type", "Bearer")
                            .with("expires_in", IdTokens.LIFE.toSeconds())
                            .with("id_token", tokens.idToken())
                            .with("scope", tokens.scope()))
                    .header("Cache-Control", "no-store")
                    .header("Pragma", "no-cache");
        } catch (OAuthError refused) {
            return refused.answer();
        }
    }

    private Response userinfo(Request request) {
        limits.calling(request.remoteAddress());
        String token = accessToken(request);
        return (token == null ? java.util.Optional.<Map<String, Object>>empty() : redemptions.userinfo(token))
                .map(claims -> Response.ok(claims).header("Cache-Control", "no-store"))
                .orElseGet(() -> Response.of(
                                401,
                                JsonObject.of("error", "invalid_token")
                                        .with("error_description", "The access token is unknown, or no longer good"))
                        .header("WWW-Authenticate", "Bearer realm=\"inboxd\", error=\"invalid_token\"")
                        .header("Cache-Control", "no-store"));
    }

    /** RFC 6750 §2.1 and §2.2. */
    private static @Nullable String accessToken(Request request) {
        String header = request.header("Authorization");
        if (header != null) {
            return header.toLowerCase(Locale.ROOT).startsWith("bearer ")
                    ? header.substring("bearer ".length()).strip()
                    : null;
        }
        return request.route().method().equals("POST")
                ? OAuthParameters.ofForm(request).first("access_token")
                : null;
    }
}
