package dev.inboxd.app.registry;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Makes the apps of the apps file what the file says. An app that leaves the file is disabled and is the operator's
 * from then on, who may enable or delete it.
 */
final class FileApps {
    private final Database database;
    private final InstantSource clock;

    FileApps(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Writes what differs, all or nothing.
     *
     * @throws Problem {@code validation_error} with the path of an entry whose slug another app has
     */
    void apply(List<AppRegistration> registrations) {
        Set<UUID> present = registrations.stream()
                .map(registration -> registration.app().id())
                .collect(Collectors.toCollection(HashSet::new));
        // One transaction for the limits of all organizations: they are the operator's, and no clock orders them.
        database.runGlobal(tx -> {
            RegistrationSql.lockAll(tx);
            Instant now = clock.instant();
            for (UUID app : RegistrationSql.ofFile(tx)) {
                if (!present.contains(app)) {
                    release(tx, AppSql.find(tx, app).orElseThrow(), now);
                }
            }
            freeSlugs(tx, registrations, present, now);
            save(tx, registrations, now);
        });
    }

    private static void release(Tx tx, App app, Instant now) {
        RegistrationSql.update(
                tx, app.enabled(false).managedBy(App.ManagedBy.OPERATOR).updatedAt(now));
    }

    /** Two apps of the file may swap their slugs, and a disabled app that is not in it gives way. */
    private static void freeSlugs(Tx tx, List<AppRegistration> registrations, Set<UUID> present, Instant now) {
        for (AppRegistration registration : registrations) {
            String slug = registration.app().slug();
            Optional<App> holder = slug == null
                    ? Optional.empty()
                    : AppSql.ofSlug(tx, slug)
                            .filter(id -> !id.equals(registration.app().id()))
                            .flatMap(id -> AppSql.find(tx, id));
            if (holder.isPresent()
                    && (present.contains(holder.get().id()) || !holder.get().isEnabled())) {
                RegistrationSql.releaseSlug(tx, holder.get().id());
                RegistrationSql.update(tx, holder.get().slug(null).updatedAt(now));
            }
        }
    }

    private static void save(Tx tx, List<AppRegistration> registrations, Instant now) {
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < registrations.size(); i++) {
            AppRegistration registration = registrations.get(i);
            try {
                Registrar.save(
                        tx,
                        new AppRegistration(
                                registration.app().managedBy(App.ManagedBy.FILE),
                                registration.secrets(),
                                registration.limits()),
                        now);
            } catch (Problem problem) {
                if (problem.code() != ErrorCode.RESOURCE_TAKEN) {
                    throw problem;
                }
                faults.add(new Fault(List.of("apps", i, "slug"), problem.message()));
            }
        }
        if (!faults.isEmpty()) {
            throw Problem.invalid(faults);
        }
    }
}
