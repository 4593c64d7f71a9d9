package dev.inboxd.app.registry;

import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonBody;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of an app, whichever way it is registered: one place for all rules. A field that is absent stays as
 * it was, or has its default.
 */
final class AppFields {
    /** The scopes that an app may ask for (OpenID Connect Core 1.0 §5.4), and ours. */
    static final List<String> SCOPES = List.of("openid", "email", "profile", "owner_profile", "owner_email");

    private static final Set<String> NAMES = Set.of(
            "app_id",
            "slug",
            "name",
            "description",
            "logo_url",
            "terms_url",
            "privacy_url",
            "categories",
            "listed",
            "enabled",
            "redirect_uris",
            "initiate_login_uri",
            "scopes",
            "token_endpoint_auth_method",
            "client_secret",
            "client_secret_env",
            "client_secret_sha256",
            "id_token_signed_response_alg",
            "require_pkce",
            "owner_signup_limit",
            "organizations");
    private static final int LONGEST = 1_024;
    private static final int LONGEST_URI = 2_048;
    private static final int MOST_URIS = 20;
    private static final int MOST_CATEGORIES = 3;

    private final JsonBody body;
    private final App before;
    private final UnaryOperator<@Nullable String> environment;

    private AppFields(JsonBody body, App before, UnaryOperator<@Nullable String> environment) {
        this.body = body;
        this.before = before;
        this.environment = environment;
    }

    /** An app with every default, and a name that is none. */
    private static App unnamed(UUID id) {
        App.Listing listing = new App.Listing("", null, null, null, null, List.of(), true);
        App.Client client = new App.Client(
                List.of(),
                null,
                Set.of("openid", "email", "profile"),
                App.ClientAuthMethod.CLIENT_SECRET_BASIC,
                App.IdTokenAlg.RS256,
                true);
        return new App(id, null, listing, client, true, null, App.ManagedBy.OPERATOR, 0, Instant.EPOCH, Instant.EPOCH);
    }

    /**
     * Reads a new app. What is wrong becomes a fault of the body.
     *
     * @param environment the variables of the process
     */
    static AppRegistration created(JsonBody body, UnaryOperator<@Nullable String> environment) {
        UUID id = body.string("app_id").as(Uuid7::parse, "a UUID");
        return new AppFields(body, unnamed(id == null ? Uuid7.next() : id), environment).read();
    }

    /** Reads a change of an app; what is null goes back to its default. */
    static AppRegistration changed(JsonBody body, App before, UnaryOperator<@Nullable String> environment) {
        if (body.has("app_id")) {
            body.fault("app_id", "app_id cannot be changed");
        }
        return new AppFields(body, before, environment).read();
    }

    private AppRegistration read() {
        for (String name : body.names()) {
            if (!NAMES.contains(name)) {
                body.fault(name, name + " is not a field of an app");
            }
        }
        App.Client client = client();
        List<String> secrets = SecretFields.read(body, client.authMethod(), environment);
        App app = new App(
                before.id(),
                body.has("slug") ? slug() : before.slug(),
                listing(),
                client,
                flag("enabled", before.isEnabled(), true),
                body.has("owner_signup_limit") ? limit(body) : before.signupLimit(),
                before.managedBy(),
                before.accounts(),
                before.createdAt(),
                before.updatedAt());
        return new AppRegistration(app, secrets, limits());
    }

    private @Nullable String slug() {
        return body.string("slug")
                .as(
                        text -> Apps.isSlug(text) ? text : null,
                        "2 to 64 characters of a to z, 0 to 9 and hyphens, and no UUID");
    }

    private App.Listing listing() {
        App.Listing was = before.listing();
        return new App.Listing(
                name(was.name()),
                body.has("description")
                        ? body.string("description")
                                .min(1)
                                .max(LONGEST)
                                .multiline()
                                .optional()
                        : was.description(),
                page("logo_url", was.logoUrl()),
                page("terms_url", was.termsUrl()),
                page("privacy_url", was.privacyUrl()),
                body.has("categories") ? categories() : was.categories(),
                flag("listed", was.isListed(), true));
    }

    private String name(String was) {
        if (!body.has("name") && !was.isEmpty()) {
            return was;
        }
        String name = body.string("name").min(1).max(100).required();
        if (!name.isEmpty() && name.isBlank()) {
            body.fault("name", "name must not be blank");
        }
        return name;
    }

    private @Nullable String page(String name, @Nullable String was) {
        return body.has(name) ? uri(name, LONGEST, AppUris::page) : was;
    }

    private @Nullable String uri(String name, int longest, Function<String, @Nullable String> check) {
        String text = body.string(name).max(longest).optional();
        String wrong = text == null ? null : check.apply(text);
        if (wrong != null) {
            body.fault(name, name + " " + wrong);
        }
        return text;
    }

    private List<String> categories() {
        Set<String> categories = new LinkedHashSet<>();
        Stream.of(AppCategory.values()).map(AppCategory::wireName).forEach(categories::add);
        return chosen("categories", MOST_CATEGORIES, categories);
    }

    private List<String> chosen(String name, int most, Set<String> allowed) {
        List<String> chosen = body.strings(name).most(most).list();
        for (int i = 0; i < chosen.size(); i++) {
            if (!allowed.contains(chosen.get(i))) {
                body.fault(name, i, name + " must be of " + String.join(", ", allowed));
            }
        }
        return chosen.stream().distinct().toList();
    }

    private App.Client client() {
        App.Client was = before.client();
        App.ClientAuthMethod method = choice(
                "token_endpoint_auth_method",
                App.ClientAuthMethod.values(),
                App.ClientAuthMethod::wireName,
                was.authMethod());
        return new App.Client(
                body.has("redirect_uris") ? redirects() : was.redirectUris(),
                body.has("initiate_login_uri")
                        ? uri("initiate_login_uri", LONGEST_URI, AppUris::destination)
                        : was.initiateLoginUri(),
                body.has("scopes") ? scopes() : was.scopes(),
                method,
                choice("id_token_signed_response_alg", App.IdTokenAlg.values(), App.IdTokenAlg::name, was.idTokenAlg()),
                requiresPkce(method, was.requiresPkce()));
    }

    private <T> T choice(String name, T[] all, Function<T, String> wire, T was) {
        T chosen = body.choice(name, all, wire);
        return chosen != null ? chosen : body.isNull(name) ? all[0] : was;
    }

    private boolean requiresPkce(App.ClientAuthMethod method, boolean was) {
        Boolean requested = body.flag("require_pkce");
        boolean isPublic = method == App.ClientAuthMethod.NONE;
        if (isPublic && requested != null && !requested) { // RFC 9700 §2.1.1
            body.fault("require_pkce", "require_pkce must be true for an app without a secret");
        }
        return isPublic || (requested != null ? requested : was || body.isNull("require_pkce"));
    }

    private boolean flag(String name, boolean was, boolean normal) {
        return body.isNull(name) ? normal : body.flag(name, was);
    }

    private List<String> redirects() {
        List<String> uris =
                body.strings("redirect_uris").max(LONGEST_URI).most(MOST_URIS).list();
        for (int i = 0; i < uris.size(); i++) {
            String wrong = AppUris.destination(uris.get(i));
            if (wrong != null) {
                body.fault("redirect_uris", i, "redirect_uris " + wrong);
            }
        }
        return uris.stream().distinct().toList();
    }

    private Set<String> scopes() {
        if (body.isNull("scopes")) {
            return Set.of("openid", "email", "profile");
        }
        Set<String> scopes = new LinkedHashSet<>(chosen("scopes", SCOPES.size(), new LinkedHashSet<>(SCOPES)));
        scopes.add("openid"); // without it nothing can be asked for (OpenID Connect Core 1.0 §3.1.2.1)
        return scopes;
    }

    private @Nullable Map<UUID, Optional<Integer>> limits() {
        if (!body.has("organizations")) {
            return null;
        }
        Map<UUID, Optional<Integer>> limits = new HashMap<>();
        JsonBody organizations = body.object("organizations");
        if (organizations == null) {
            return limits;
        }
        for (String name : organizations.names()) {
            UUID organization = Uuid7.parse(name);
            if (organization == null) {
                organizations.fault(name, "organizations must have ids of organizations, which are UUIDs");
            }
            JsonBody entry = organizations.object(name);
            if (entry == null
                    || !entry.has("owner_signup_limit")
                    || entry.names().size() > 1) {
                organizations.fault(name, "an organization must have owner_signup_limit alone, a number or null");
            } else if (organization != null) {
                limits.put(organization, Optional.ofNullable(limit(entry)));
            }
        }
        return limits;
    }

    private static @Nullable Integer limit(JsonBody body) {
        Long limit = body.integer("owner_signup_limit", 0, Integer.MAX_VALUE);
        return limit == null ? null : limit.intValue();
    }
}
