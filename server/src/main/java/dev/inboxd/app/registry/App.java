package dev.inboxd.app.registry;

import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A third-party app that trusts this service as its OpenID provider.
 *
 * @param id also its client_id
 * @param slug its name in paths, or null
 * @param listing what lists and pages show of it
 * @param client how it speaks to the provider
 * @param isEnabled whether inboxes may sign in
 * @param signupLimit how many accounts an organization may have there; null for any number
 * @param managedBy who may change it
 * @param accounts how many accounts there are on this installation
 */
public record App(
        UUID id,
        @Nullable String slug,
        Listing listing,
        Client client,
        boolean isEnabled,
        @Nullable Integer signupLimit,
        ManagedBy managedBy,
        long accounts,
        Instant createdAt,
        Instant updatedAt) {

    /** Where an app is registered. */
    public enum ManagedBy {
        /** The apps file: read-only elsewhere. */
        FILE,
        /** The command line or the admin port. */
        OPERATOR;

        /** The name in the database and in answers. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How an app authenticates at the token endpoint (OpenID Connect Core 1.0 §9). */
    public enum ClientAuthMethod {
        CLIENT_SECRET_BASIC,
        CLIENT_SECRET_POST,
        /** A public client. */
        NONE;

        /** The name in the database and in discovery. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The algorithms of ID tokens. */
    public enum IdTokenAlg {
        RS256,
        ES256
    }

    /**
     * What people read of an app.
     *
     * @param isListed whether lists and searches name it
     */
    public record Listing(
            String name,
            @Nullable String description,
            @Nullable String logoUrl,
            @Nullable String termsUrl,
            @Nullable String privacyUrl,
            List<String> categories,
            boolean isListed) {
        public Listing {
            categories = List.copyOf(categories);
        }
    }

    /**
     * An app as an OpenID client.
     *
     * @param redirectUris the only addresses to which browsers are sent back
     * @param initiateLoginUri where a sign-in at the app begins (OpenID Connect Core 1.0 §4), or null
     * @param scopes the scopes that it may ask for
     */
    public record Client(
            List<String> redirectUris,
            @Nullable String initiateLoginUri,
            Set<String> scopes,
            ClientAuthMethod authMethod,
            IdTokenAlg idTokenAlg,
            boolean requiresPkce) {
        public Client {
            redirectUris = List.copyOf(redirectUris);
            scopes = Set.copyOf(scopes);
        }

        /** Whether it may ask who is behind an inbox. */
        public boolean mayAskForOwner() {
            return scopes.contains("owner_profile") || scopes.contains("owner_email");
        }
    }

    /**
     * What callers read of it: both names of its id, and of an app that is not listed its name alone.
     *
     * @param limit how many accounts the caller's organization may have; null for any number
     */
    public JsonObject json(@Nullable Integer limit) {
        JsonObject json = JsonObject.of("app_id", id).with("provider_id", id).with("name", listing.name());
        return !listing.isListed()
                ? json
                : json.with("updated_at", updatedAt)
                        .with("description", listing.description())
                        .with("logo_url", listing.logoUrl())
                        .with("terms_url", listing.termsUrl())
                        .with("privacy_url", listing.privacyUrl())
                        .with("slug", slug)
                        .with("categories", listing.categories().isEmpty() ? null : listing.categories())
                        .with("owner_signup_limit", limit);
    }

    /** The same app with the count and the times of a stored one. */
    App dated(@Nullable App stored) {
        return stored == null
                ? this
                : new App(
                        id,
                        slug,
                        listing,
                        client,
                        isEnabled,
                        signupLimit,
                        managedBy,
                        stored.accounts,
                        stored.createdAt,
                        stored.updatedAt);
    }

    App id(UUID newId) {
        return new App(newId, slug, listing, client, isEnabled, signupLimit, managedBy, accounts, createdAt, updatedAt);
    }

    App updatedAt(Instant now) {
        return new App(id, slug, listing, client, isEnabled, signupLimit, managedBy, accounts, createdAt, now);
    }

    App managedBy(ManagedBy manager) {
        return new App(id, slug, listing, client, isEnabled, signupLimit, manager, accounts, createdAt, updatedAt);
    }

    App enabled(boolean enabled) {
        return new App(id, slug, listing, client, enabled, signupLimit, managedBy, accounts, createdAt, updatedAt);
    }

    App slug(@Nullable String newSlug) {
        return new App(id, newSlug, listing, client, isEnabled, signupLimit, managedBy, accounts, createdAt, updatedAt);
    }

    /** Whether an inbox can be sent there with a link. */
    public boolean canConnect() {
        return isEnabled && !client.redirectUris().isEmpty() && client.initiateLoginUri() != null;
    }
}
