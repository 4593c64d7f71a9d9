package dev.inboxd.cli;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.SessionCheck;
import dev.inboxd.base.database.embedded.EmbeddedPostgres;
import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.base.time.MovableClock;
import dev.inboxd.config.Credentials;
import dev.inboxd.config.ExternalDatabase;
import dev.inboxd.config.Settings;
import dev.inboxd.server.InstallationException;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The database of a command.
 *
 * @param postgres the embedded server when this process started it
 * @param clock the real time, until the command follows a clock that was moved
 */
record CommandDatabase(@Nullable EmbeddedPostgres postgres, Database database, MovableClock clock)
        implements AutoCloseable {
    private static final int CONNECTIONS = 2;

    /**
     * What is done with the tables of a database that no service of this process's folder runs: a command that only
     * reads them leaves them as they are.
     */
    private enum Schema {
        MIGRATED,
        LEFT
    }

    /** Connects to the database of these settings, and starts the embedded one when no service runs it. */
    static CommandDatabase open(Settings settings) {
        return open(settings, Schema.MIGRATED);
    }

    /** The same without bringing the tables to this program's version. */
    static CommandDatabase openAsIs(Settings settings) {
        return open(settings, Schema.LEFT);
    }

    /** A database for a copy, which makes its tables: the external one, or a new embedded one. */
    static CommandDatabase forCopy(Settings settings) {
        Optional<ExternalDatabase> external = settings.storage().database();
        if (external.isPresent()) {
            return prepared(null, location(external.get()), Schema.LEFT);
        }
        return EmbeddedPostgres.running(settings.dataDirectory())
                .map(server -> prepared(null, location(server), Schema.LEFT))
                .orElseGet(() -> own(settings, Schema.LEFT));
    }

    private static CommandDatabase open(Settings settings, Schema schema) {
        Optional<ExternalDatabase> external = settings.storage().database();
        if (external.isPresent()) {
            return prepared(null, location(external.get()), schema);
        }
        Optional<EmbeddedPostgres.RunningServer> running = EmbeddedPostgres.running(settings.dataDirectory());
        if (running.isPresent()) {
            return prepared(null, location(running.get()), Schema.LEFT);
        }
        if (!EmbeddedPostgres.isIn(settings.dataDirectory())) {
            throw new InstallationException("There is no database in " + settings.dataDirectory()
                    + ": name the service's folder with --data-dir or its database with --database-url, or start"
                    + " the service once, which makes one.");
        }
        return own(settings, schema);
    }

    private static CommandDatabase own(Settings settings, Schema schema) {
        EmbeddedPostgres own = EmbeddedPostgres.start(settings.dataDirectory());
        return prepared(own, new Database.Location(own.jdbcUrl(), own.user(), own.password(), CONNECTIONS), schema);
    }

    private static Database.Location location(ExternalDatabase external) {
        Optional<Credentials> login = external.login();
        Database.Location location = new Database.Location(
                external.jdbcUrl(),
                login.map(Credentials::user).orElse(null),
                login.map(user -> user.password().value()).orElse(null),
                CONNECTIONS);
        SessionCheck.require(location);
        return location;
    }

    private static Database.Location location(EmbeddedPostgres.RunningServer server) {
        return new Database.Location(server.jdbcUrl(), server.user(), server.password(), CONNECTIONS);
    }

    private static CommandDatabase prepared(@Nullable EmbeddedPostgres own, Database.Location location, Schema schema) {
        try {
            if (schema == Schema.MIGRATED) {
                Migrations.run(location);
            }
        } catch (RuntimeException failed) {
            if (own != null) {
                own.close();
            }
            throw failed;
        }
        MovableClock clock = new MovableClock(InstantSource.system());
        return new CommandDatabase(own, new Database(location, clock::moved), clock);
    }

    @Override
    public void close() {
        database.close();
        if (postgres != null) {
            postgres.close();
        }
    }
}
