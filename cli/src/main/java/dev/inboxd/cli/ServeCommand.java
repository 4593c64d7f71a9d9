package dev.inboxd.cli;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.SessionCheck;
import dev.inboxd.base.database.embedded.EmbeddedPostgres;
import dev.inboxd.base.database.embedded.FolderLock;
import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.base.io.FileFailure;
import dev.inboxd.base.log.LogFormat;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.base.log.LogSetup;
import dev.inboxd.base.time.MovableClock;
import dev.inboxd.cli.prepare.Preparation;
import dev.inboxd.config.Credentials;
import dev.inboxd.config.ExternalDatabase;
import dev.inboxd.config.Settings;
import dev.inboxd.move.VersionCopy;
import dev.inboxd.server.Installation;
import dev.inboxd.server.PortAvailability;
import dev.inboxd.server.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code inboxd serve}: starts the service, and stops it on a signal. */
public final class ServeCommand {
    /** Database connections of one node. More than a few for each core only wait for one another. */
    public static final int CONNECTIONS = 12;

    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);
    /** From the manifest of the jar; class folders have none. */
    private static final String VERSION =
            Objects.requireNonNullElse(ServeCommand.class.getPackage().getImplementationVersion(), "in development");

    private ServeCommand() {}

    /**
     * Runs the service until its end.
     *
     * @return the exit status of the process
     */
    public static int serve(Settings settings) {
        LogSetup.use(settings.log() == Settings.LogFormat.JSON ? LogFormat.JSON : LogFormat.TEXT);
        LogLine.of("start")
                .with("version", VERSION)
                .with("java", Runtime.version())
                .with("mode", settings.mode().name().toLowerCase(Locale.ROOT))
                .with("domain", settings.names().domain())
                .with("data", settings.dataDirectory())
                .with("pid", ProcessHandle.current().pid())
                .write();
        StopSignals.leaveTheStopToUs();
        if (settings.log() != Settings.LogFormat.JSON) {
            System.out.print(StartupNotice.of(settings));
            System.out.flush();
        }
        ProcessResources ground = null;
        try {
            ground = ProcessResources.take(settings);
            PortAvailability.require(settings.network());
            Server server = start(settings, ground);
            stopOnSignal(server, ground);
            ready(settings, server);
            mendIndexes(location(settings, ground.postgres));
            prepareNextStart();
            return untilOver(ground, server);
        } catch (IOException | RuntimeException failure) {
            if (settings.log() == Settings.LogFormat.JSON) {
                LOG.error("cannot start: {}", words(failure));
            }
            System.err.println("inboxd cannot start: " + words(failure));
            if (ground != null) {
                ground.close();
            }
            return 1;
        }
    }

    /** Says that the service runs: to people with what to try, to programs in one line. */
    private static void ready(Settings settings, Server server) {
        boolean json = settings.log() == Settings.LogFormat.JSON;
        LogLine.of("ready")
                .with("version", VERSION)
                .with("url", server.publicUrl())
                .with("smtp_port", server.smtpPort())
                .with("submission_port", server.submissionPort())
                // The banner of development, for programs. In production there is none.
                .with("first_key", json ? server.firstKey() : null)
                .write();
        if (!json) {
            System.out.print(StartupBanner.of(settings, server));
        }
    }

    /** Has indexes made anew beside the service, which works without them. */
    private static void mendIndexes(Database.Location location) {
        Thread.ofVirtual().name("indexes").start(() -> Migrations.mendIndexes(location));
    }

    /** Has the cache for fast starts made beside the service; a stop of the service ends that as well. */
    private static void prepareNextStart() {
        Process preparation = Preparation.beginWhenMissing();
        if (preparation != null) {
            Runtime.getRuntime().addShutdownHook(new Thread(preparation::destroy));
        }
    }

    /**
     * The exclusive resources of the process: the data folder, and the embedded database unless an external one is
     * used.
     *
     * @param postgres the embedded database, which locks the folder itself
     * @param lock the folder's lock when the database is an external one
     */
    private record ProcessResources(
            @Nullable EmbeddedPostgres postgres, @Nullable FolderLock lock) implements AutoCloseable {
        static ProcessResources take(Settings settings) {
            if (settings.storage().database().isPresent()) {
                return new ProcessResources(null, FolderLock.take(settings.dataDirectory()));
            }
            VersionCopy.runWhenDue(settings.dataDirectory(), ServeCommand::tellUpgrade);
            return new ProcessResources(EmbeddedPostgres.start(settings.dataDirectory()), null);
        }

        @Override
        public void close() {
            if (postgres != null) {
                postgres.close();
            }
            if (lock != null) {
                lock.close();
            }
        }
    }

    private static void tellUpgrade(String sentence) {
        LogLine.of("upgrade").with("message", sentence).write();
    }

    private static Server start(Settings settings, ProcessResources ground) throws IOException {
        Database.Location location = location(settings, ground.postgres);
        if (ground.postgres == null) {
            SessionCheck.require(location);
        }
        Migrations.run(location);
        Blobs blobs = Blobs.at(settings.storage().blobs().toString());
        return new Server(settings, storage(settings, location, blobs));
    }

    /** In development the clock can be moved. */
    private static PlatformModule.Storage storage(Settings settings, Database.Location location, Blobs blobs) {
        if (settings.mode() == Settings.Mode.DEV) {
            MovableClock clock = new MovableClock(InstantSource.system());
            return Installation.open(settings, new Database(location, clock::reading), blobs, clock);
        }
        return Installation.open(settings, new Database(location, null), blobs, InstantSource.system());
    }

    private static Database.Location location(Settings settings, @Nullable EmbeddedPostgres postgres) {
        if (postgres != null) {
            return new Database.Location(postgres.jdbcUrl(), postgres.user(), postgres.password(), CONNECTIONS);
        }
        return location(settings.storage().database().orElseThrow());
    }

    /** The location of an external database. */
    public static Database.Location location(ExternalDatabase database) {
        return new Database.Location(
                database.jdbcUrl(),
                database.login().map(Credentials::user).orElse(null),
                database.login().map(login -> login.password().value()).orElse(null),
                CONNECTIONS);
    }

    private static @Nullable String words(Exception failure) {
        if (failure instanceof IOException file) {
            return FileFailure.words(file);
        }
        IOException cause = failure instanceof UncheckedIOException file ? file.getCause() : null;
        // A message of its own says more than the cause.
        return cause != null && cause.toString().equals(failure.getMessage())
                ? FileFailure.words(cause)
                : failure.getMessage();
    }

    /** Has a signal stop the service, and the process with it. */
    private static void stopOnSignal(Server server, ProcessResources ground) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            StopSignals.endOnNext();
            LogLine.of("stop").with("version", VERSION).with("cause", "signal").write();
            server.drain();
            server.close();
            ground.close();
            LogLine.of("stopped").with("version", VERSION).write();
            Runtime.getRuntime().halt(0); // the JVM's own exit status on SIGTERM is 143
        }));
    }

    /** Waits for a signal, the failure of the embedded database, or the end of a move to another installation. */
    @SuppressWarnings("FutureReturnValueIgnored") // the end that it completes is awaited below
    private static int untilOver(ProcessResources ground, Server server) {
        CompletableFuture<String> end = server.end();
        if (ground.postgres != null) {
            ground.postgres.failure().thenAccept(failure -> end.complete(failure.getMessage()));
        }
        String why = end.join();
        boolean isMoved = ground.postgres == null || !ground.postgres.failure().isDone();
        LogLine.of("stop")
                .with("version", VERSION)
                .with("cause", isMoved ? "moved" : "database")
                .with("failure", why)
                .write();
        System.err.println(why);
        if (isMoved) {
            server.close();
            ground.close();
        }
        Runtime.getRuntime().halt(1);
        return 1;
    }
}
