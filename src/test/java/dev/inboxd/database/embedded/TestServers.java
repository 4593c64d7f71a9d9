package dev.inboxd.database.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One server for all tests that only look at it. */
final class TestServers {
    /** Shared by every data folder, so that the archive is unpacked once per build. */
    static final Path PROGRAMS = Path.of("target", "postgres-programs").toAbsolutePath();

    private static @Nullable EmbeddedPostgres shared;

    private TestServers() {}

    static synchronized EmbeddedPostgres shared() {
        if (shared == null) {
            try {
                Path data = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "postgres-shared-");
                EmbeddedPostgres started = EmbeddedPostgres.start(data, PROGRAMS);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(started, data)));
                shared = started;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return shared;
    }

    private static void remove(EmbeddedPostgres postgres, Path data) {
        postgres.close();
        try {
            Folders.delete(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
