package dev.inboxd.base.database.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What tests share: unpacked programs, a data folder to copy, and one server for tests that only look at it. */
final class TestServers {
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    /** Shared by every data folder, so that the archive is unpacked once per build. */
    static final Path PROGRAMS = TARGET.resolve("postgres-programs");

    private static @Nullable EmbeddedPostgres shared;
    private static @Nullable Path prepared;

    private TestServers() {}

    static synchronized EmbeddedPostgres shared() {
        if (shared == null) {
            Path data = folder();
            EmbeddedPostgres started = EmbeddedPostgres.start(data, PROGRAMS);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                started.close();
                delete(data);
            }));
            shared = started;
        }
        return shared;
    }

    /** Copies a cold data folder into an empty one; one that holds a cluster already is left as it is. */
    static synchronized void fill(Path data) {
        if (prepared == null) {
            Path made = folder();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(made)));
            EmbeddedPostgres.start(made, PROGRAMS).close();
            prepared = made;
        }
        if (!Files.exists(data.resolve("postgres-18"))) {
            copy(prepared, data);
        }
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory(Files.createDirectories(TARGET), "postgres-data-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.filter(path -> !path.equals(from)).toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try {
            DurableFolders.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
