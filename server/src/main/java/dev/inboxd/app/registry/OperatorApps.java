package dev.inboxd.app.registry;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Base62;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.tenant.organization.Organizations;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The registration of apps by an operator: the verbs of the command line and of the admin port. */
public final class OperatorApps {
    private static final int SECRET_CHARACTERS = 43;
    private static final int MOST_SECRETS = 2;

    private final Database database;
    private final InstantSource clock;
    private final UnaryOperator<@Nullable String> environment;

    /**
     * The apps of a database.
     *
     * @param environment the variables of the process, where secrets may be
     */
    public OperatorApps(Database database, InstantSource clock, UnaryOperator<@Nullable String> environment) {
        this.database = database;
        this.clock = clock;
        this.environment = environment;
    }

    /** A page of all apps. */
    public Slice<JsonObject> list(PageRequest page) {
        return database.read(tx -> {
            Slice<App> slice = page.slice(AppSql.all(tx, page), AppSql::place);
            return new Slice<>(OperatorJson.of(tx, slice.items()), slice.next());
        });
    }

    /**
     * One app, by its id or slug.
     *
     * @throws Problem {@code not_found}
     */
    public JsonObject show(String name) {
        return database.read(tx -> OperatorJson.of(tx, named(tx, name)));
    }

    /**
     * Registers an app. Unless its client is public or a secret is named, it gets a secret, which the answer alone has.
     *
     * @throws Problem {@code validation_error}; {@code already_exists} for an id, and {@code resource_taken} for a slug
     *     that another app has
     */
    JsonObject create(JsonBody body) {
        AppRegistration registration = AppFields.created(body, environment);
        body.check();
        return database.writeGlobal(tx -> {
            RegistrationSql.lock(tx);
            if (AppSql.find(tx, registration.app().id()).isPresent()) {
                throw Problem.of(
                        ErrorCode.ALREADY_EXISTS,
                        "There is an app with the id " + registration.app().id(),
                        "Change it with PATCH, or leave app_id out.");
            }
            return registered(tx, registration);
        });
    }

    private JsonObject registered(Tx tx, AppRegistration registration) {
        App app = Registrar.save(tx, registration, clock.instant());
        boolean needsSecret = app.client().authMethod() != App.ClientAuthMethod.NONE
                && RegistrationSql.secrets(tx, List.of(app.id())).isEmpty();
        String secret = needsSecret ? addSecret(tx, app).secret() : null;
        return OperatorJson.of(tx, AppSql.find(tx, app.id()).orElseThrow()).with("client_secret", secret);
    }

    /**
     * Changes the fields that are given.
     *
     * @throws Problem as {@link #create}, and {@code conflict} for an app of the apps file
     */
    JsonObject change(String name, JsonBody body) {
        return database.writeGlobal(tx -> {
            RegistrationSql.lock(tx);
            App before = changeable(tx, named(tx, name).id());
            AppRegistration registration = AppFields.changed(body, before, environment);
            body.check();
            Registrar.save(tx, registration, clock.instant());
            return OperatorJson.of(tx, AppSql.find(tx, before.id()).orElseThrow());
        });
    }

    /**
     * Registers every app of a document, or changes it: an entry without an id is that of its slug, or a new one.
     *
     * @return the apps, with the secrets that were made
     * @throws Problem as {@link #create} and {@link #change}
     */
    public List<JsonObject> apply(Path file) {
        AppsDocument document = AppsDocument.of(file.toString(), AppsFile.read(file));
        List<JsonObject> applied = new ArrayList<>();
        document.explained(() -> database.runGlobal(tx -> {
            RegistrationSql.lockAll(tx);
            for (JsonBody body : document.bodies()) {
                AppRegistration registration = registration(tx, body);
                body.check();
                if (AppSql.find(tx, registration.app().id()).isPresent()) {
                    changeable(tx, registration.app().id());
                }
                applied.add(registered(tx, registration));
            }
        }));
        return applied;
    }

    /** An entry says all of an app: what it leaves out has its default. */
    private AppRegistration registration(Tx tx, JsonBody body) {
        AppRegistration read = AppFields.created(body, environment);
        String slug = read.app().slug();
        Optional<UUID> existing = body.has("app_id") || slug == null ? Optional.empty() : AppSql.ofSlug(tx, slug);
        return existing.map(id -> new AppRegistration(read.app().id(id), read.secrets(), read.limits()))
                .orElse(read);
    }

    /** A secret that was made. */
    private record IssuedSecret(UUID id, String secret) {}

    private IssuedSecret addSecret(Tx tx, App app) {
        String secret = Base62.random(SECRET_CHARACTERS);
        return new IssuedSecret(
                RegistrationSql.insertSecret(tx, app, SecretFields.hex(secret), clock.instant()), secret);
    }

    /**
     * Makes a secret, beside the one that it is to replace.
     *
     * @return it, with its id
     * @throws Problem {@code conflict} for an app of the apps file, a public client, and an app with two secrets
     */
    public JsonObject addSecret(String name) {
        return database.writeGlobal(tx -> {
            RegistrationSql.lock(tx);
            App app = changeable(tx, named(tx, name).id());
            if (app.client().authMethod() == App.ClientAuthMethod.NONE) {
                throw Problem.of(
                        ErrorCode.CONFLICT,
                        "The app is a public client, which has no secret",
                        "Change its token_endpoint_auth_method first.");
            }
            if (RegistrationSql.secrets(tx, List.of(app.id())).size() >= MOST_SECRETS) {
                throw Problem.of(
                        ErrorCode.CONFLICT,
                        "The app has two secrets already",
                        "Delete the one that the app no longer uses.");
            }
            IssuedSecret issued = addSecret(tx, app);
            return JsonObject.of("secret_id", issued.id).with("client_secret", issued.secret);
        });
    }

    /** Ends a secret. */
    public void deleteSecret(String name, String secret) {
        database.runGlobal(tx -> {
            RegistrationSql.lock(tx);
            App app = changeable(tx, named(tx, name).id());
            UUID id = Uuid7.parse(secret);
            if (id == null || !RegistrationSql.deleteSecret(tx, app.id(), id)) {
                throw Problem.notFound("Secret");
            }
        });
    }

    /**
     * Sets how many accounts an organization may have at an app, in place of the app's own limit.
     *
     * @param limit null for any number
     */
    JsonObject setLimit(String name, String organization, @Nullable Integer limit) {
        return database.writeGlobal(tx -> {
            RegistrationSql.lock(tx);
            App app = changeable(tx, named(tx, name).id());
            UUID id = Uuid7.parse(organization);
            if (id == null || Organizations.find(tx, id).isEmpty()) {
                throw Problem.notFound("Organization");
            }
            RegistrationSql.setLimit(tx, id, app, limit);
            return OperatorJson.of(tx, app);
        });
    }

    /**
     * Deletes an app.
     *
     * @param force whether its accounts go with it
     * @throws Problem {@code cannot_delete} for an app with accounts, {@code conflict} for one of the apps file
     */
    public void delete(String name, boolean force) {
        UUID id = database.read(tx -> named(tx, name)).id();
        new AppDeletion(database).delete(id, force, clock.instant());
    }

    private static App named(Tx tx, String name) {
        return Apps.named(tx, name).orElseThrow(() -> Problem.notFound("App"));
    }

    /** An app that the operator may change here. */
    static App changeable(Tx tx, UUID id) {
        App app = AppSql.find(tx, id).orElseThrow(() -> Problem.notFound("App"));
        if (app.managedBy() == App.ManagedBy.FILE) {
            throw Problem.of(
                    ErrorCode.CONFLICT,
                    "The app " + app.listing().name() + " is registered by the apps file",
                    "Change it in that file, or take it out of the file first, which disables it.");
        }
        return app;
    }
}
