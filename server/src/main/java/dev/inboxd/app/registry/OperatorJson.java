package dev.inboxd.app.registry;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** An app as its operator reads it: every field, and of its secrets all but themselves. */
final class OperatorJson {
    private OperatorJson() {}

    static JsonObject of(Tx tx, App app) {
        return of(tx, List.of(app)).getFirst();
    }

    static List<JsonObject> of(Tx tx, List<App> apps) {
        List<UUID> ids = apps.stream().map(App::id).toList();
        List<RegistrationSql.Secret> secrets = RegistrationSql.secrets(tx, ids);
        Map<UUID, Map<UUID, Optional<Integer>>> limits = RegistrationSql.limits(tx, ids);
        return apps.stream()
                .map(app -> of(app).with("organizations", limits(limits.getOrDefault(app.id(), Map.of())))
                        .with(
                                "secrets",
                                secrets.stream()
                                        .filter(secret -> secret.app().equals(app.id()))
                                        .map(secret -> JsonObject.of("secret_id", secret.id())
                                                .with("created_at", secret.createdAt()))
                                        .toList()))
                .toList();
    }

    private static JsonObject of(App app) {
        App.Listing listing = app.listing();
        App.Client client = app.client();
        return JsonObject.of("app_id", app.id())
                .with("provider_id", app.id())
                .with("slug", app.slug())
                .with("name", listing.name())
                .with("description", listing.description())
                .with("logo_url", listing.logoUrl())
                .with("terms_url", listing.termsUrl())
                .with("privacy_url", listing.privacyUrl())
                .with("categories", listing.categories())
                .with("listed", listing.isListed())
                .with("enabled", app.isEnabled())
                .with("redirect_uris", client.redirectUris())
                .with("initiate_login_uri", client.initiateLoginUri())
                .with(
                        "scopes",
                        AppFields.SCOPES.stream()
                                .filter(client.scopes()::contains)
                                .toList())
                .with("token_endpoint_auth_method", client.authMethod().wireName())
                .with("id_token_signed_response_alg", client.idTokenAlg().name())
                .with("require_pkce", client.requiresPkce())
                .with("owner_signup_limit", app.signupLimit())
                .with("managed_by", app.managedBy().wireName())
                .with("accounts", app.accounts())
                .with("created_at", app.createdAt())
                .with("updated_at", app.updatedAt());
    }

    /** A limit of null says that an organization has none, unlike one that is absent. */
    private static JsonObject limits(Map<UUID, Optional<Integer>> limits) {
        JsonObject json = new JsonObject();
        limits.forEach((organization, limit) -> json.with(
                organization.toString(),
                JsonObject.of(
                        "owner_signup_limit",
                        limit.<Object>map(number -> number).orElse(new RawJson("null")))));
        return json;
    }
}
