package dev.inboxd.chaos;

import java.io.IOException;
import java.nio.file.Path;

/** The suite of an external PostgreSQL: what poolers do to it, and a standby that takes over under load. */
public final class ExternalPostgres {
    private ExternalPostgres() {}

    /** Runs it; ends with {@code N passed, M failed} and that status. */
    public static void main(String[] arguments) throws IOException {
        String missing = DebianPostgres.missing() + Pooler.missing();
        if (!missing.isEmpty()) {
            System.out.println("suite external: " + missing + "\n0 passed, 1 failed");
            System.exit(1);
        }
        Path folder = DebianPostgres.folder("inboxd-external");
        SuiteReport report = new SuiteReport();
        try (DebianPostgres primary = DebianPostgres.create(folder, "one", "max_connections=200")) {
            new PoolerModes(folder, primary, report).run();
            new Promotion(folder, primary, report).run();
        }
        System.exit(report.close(folder));
    }
}
