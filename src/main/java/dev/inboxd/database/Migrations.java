package dev.inboxd.database;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/** Brings the schema to this program's version before the pool opens. Additive, so one step back stays readable (P17). */
public final class Migrations {
    private Migrations() {}

    /** Runs what is missing; safe on several nodes at once. */
    public static void run(Database.Location location) {
        FluentConfiguration configuration = Flyway.configure()
                .dataSource(location.url(), location.user(), location.password())
                .locations("classpath:migrations")
                .failOnMissingLocations(true)
                .connectRetries(5);
        // Flyway's default lock makes "create index concurrently" hang (architecture §8.6).
        configuration.getConfigurationExtension(PostgreSQLConfigurationExtension.class).setTransactionalLock(false);
        configuration.load().migrate();
    }
}
