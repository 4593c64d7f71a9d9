package dev.inboxd.app.oidc;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.web.oauth.Origins;
import java.net.URI;
import java.util.List;

/** The addresses and abilities of the provider (OpenID Connect Discovery 1.0 §3, RFC 8414 §2). */
final class Discovery {
    private final URI issuer;

    Discovery(URI issuer) {
        this.issuer = issuer;
    }

    URI uri() {
        return issuer;
    }

    String issuer() {
        return issuer.toString();
    }

    String origin() {
        return Origins.of(issuer);
    }

    String url(String path) {
        return issuer + path;
    }

    JsonObject json() {
        return JsonObject.of("issuer", issuer())
                .with("authorization_endpoint", url("/v0/authorize"))
                .with("token_endpoint", url("/v0/token"))
                .with("userinfo_endpoint", url("/v0/userinfo"))
                .with("jwks_uri", url("/v0/jwks.json"))
                .with("approval_endpoint", url("/v0/authorize/approve"))
                .with("response_types_supported", List.of("code"))
                .with("response_modes_supported", List.of("query"))
                .with("grant_types_supported", List.of("authorization_code"))
                .with("subject_types_supported", List.of("public"))
                .with("id_token_signing_alg_values_supported", List.of("RS256", "ES256"))
                .with(
                        "token_endpoint_auth_methods_supported",
                        List.of("client_secret_basic", "client_secret_post", "none"))
                .with("code_challenge_methods_supported", List.of("S256"))
                .with("scopes_supported", List.of("openid", "email", "profile", "owner_profile", "owner_email"))
                .with("claims_supported", CLAIMS)
                .with("prompt_values_supported", List.of("none", "login", "consent", "select_account"))
                .with("ui_locales_supported", List.of("en"))
                .with("authorization_response_iss_parameter_supported", true)
                .with("request_parameter_supported", false)
                .with("request_uri_parameter_supported", false)
                .with("claims_parameter_supported", false);
    }

    private static final List<String> CLAIMS = List.of(
            "iss",
            "sub",
            "aud",
            "iat",
            "exp",
            "auth_time",
            "nonce",
            "at_hash",
            "jti",
            "amr",
            "scope",
            "actor_type",
            "email",
            "email_verified",
            "name",
            "org",
            "owner_sub",
            "owner_name",
            "owner_email",
            "owner_email_verified");
}
