package dev.inboxd;

import dev.inboxd.database.embedded.EmbeddedPostgres;
import dev.inboxd.database.embedded.EmbeddedPostgresException;
import java.util.concurrent.atomic.AtomicInteger;

/** The only place that makes services and joins them. */
final class Wiring {
    private Wiring() {}

    /**
     * Starts everything and returns only when it cannot go on.
     *
     * @return the status of the process
     */
    static int serve(Settings settings) {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.start(settings.dataDirectory());
            AtomicInteger status = new AtomicInteger();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                postgres.close();
                Runtime.getRuntime().halt(status.get()); // a JVM's own answer to SIGTERM is 143
            }));
            System.out.println("database ready: " + postgres.jdbcUrl());
            EmbeddedPostgresException failure = postgres.failure().join();
            System.err.println(failure.getMessage());
            status.set(1);
        } catch (EmbeddedPostgresException e) {
            System.err.println("inboxd cannot start: " + e.getMessage());
        }
        return 1;
    }
}
