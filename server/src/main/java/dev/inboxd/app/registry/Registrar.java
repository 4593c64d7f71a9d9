package dev.inboxd.app.registry;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Makes the rows of an app what its operator wants, in a transaction that holds the lock of registrations. */
final class Registrar {
    private Registrar() {}

    /**
     * Registers an app, or changes it. What is so already is not written again.
     *
     * @param registration with the one who manages it from now on
     * @throws Problem {@code resource_taken} when another app has the slug
     */
    static App save(Tx tx, AppRegistration registration, Instant now) {
        Optional<App> before = AppSql.find(tx, registration.app().id());
        App app = registration.app().dated(before.orElse(null));
        if (!before.equals(Optional.of(app))) {
            app = app.updatedAt(now);
            String slugBefore = before.map(App::slug).orElse(null);
            if (!Objects.equals(slugBefore, app.slug())) {
                RegistrationSql.releaseSlug(tx, app.id());
                claimSlug(tx, app);
            }
            if (before.isEmpty()) {
                RegistrationSql.insert(tx, app);
            } else {
                RegistrationSql.update(tx, app);
            }
        }
        saveSecrets(tx, app, registration, now);
        saveLimits(tx, app, registration);
        return app;
    }

    private static void claimSlug(Tx tx, App app) {
        String slug = app.slug();
        if (slug != null && !RegistrationSql.claimSlug(tx, slug, app.id())) {
            throw Problem.of(
                    ErrorCode.RESOURCE_TAKEN,
                    "The slug " + slug + " is taken by the app "
                            + AppSql.ofSlug(tx, slug).map(UUID::toString).orElse(""));
        }
    }

    private static void saveSecrets(Tx tx, App app, AppRegistration registration, Instant now) {
        boolean isPublic = app.client().authMethod() == App.ClientAuthMethod.NONE;
        boolean isOfFile = app.managedBy() == App.ManagedBy.FILE;
        List<String> hashes = isPublic ? List.of() : registration.secrets();
        List<String> missing = hashes == null ? List.of() : new ArrayList<>(hashes);
        for (RegistrationSql.Secret secret : RegistrationSql.secrets(tx, List.of(app.id()))) {
            // What the file named and names no longer ends; what an operator made stays until the file names one.
            boolean keeps = hashes == null
                    ? !(isOfFile && secret.managedBy().equals(App.ManagedBy.FILE.wireName()))
                    : missing.remove(secret.hash());
            if (!keeps) {
                RegistrationSql.deleteSecret(tx, app.id(), secret.id());
            }
        }
        missing.forEach(hash -> RegistrationSql.insertSecret(tx, app, hash, now));
    }

    private static void saveLimits(Tx tx, App app, AppRegistration registration) {
        Map<UUID, Optional<Integer>> limits = registration.limits();
        if (limits == null) {
            if (app.managedBy() != App.ManagedBy.FILE) {
                return;
            }
            limits = Map.of();
        }
        Map<UUID, Optional<Integer>> before =
                RegistrationSql.limits(tx, List.of(app.id())).getOrDefault(app.id(), Map.of());
        for (Map.Entry<UUID, Optional<Integer>> limit : limits.entrySet()) {
            if (!limit.getValue().equals(before.get(limit.getKey()))) {
                RegistrationSql.setLimit(
                        tx, limit.getKey(), app, limit.getValue().orElse(null));
            }
        }
        for (UUID organization : before.keySet()) {
            if (!limits.containsKey(organization)) {
                RegistrationSql.deleteLimit(tx, organization, app.id());
            }
        }
    }
}
