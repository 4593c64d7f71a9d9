package dev.inboxd.platform.database.embedded;

import dev.inboxd.platform.io.FileFailure;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Paths in the data folder.
 *
 * @param data the data folder, its real path
 */
record Layout(Path data) {
    /** The only major version this launcher starts. A cluster of another version needs an export and an import. */
    static final int MAJOR_VERSION = 18;

    /** The layout of an existing data folder, its path resolved to the form that the kernel shows. */
    static Layout of(Path data) {
        try {
            return new Layout(data.toRealPath());
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "The data folder " + data + " cannot be read: " + FileFailure.words(e), e);
        }
    }

    Path cluster() {
        return data.resolve("postgres-" + MAJOR_VERSION);
    }

    /** A cluster that is being created; renamed to {@link #cluster()} when it is complete. */
    Path unfinishedCluster() {
        return data.resolve("postgres-" + MAJOR_VERSION + ".new");
    }

    Path password() {
        return data.resolve("postgres.password");
    }

    Path port() {
        return data.resolve("postgres.port");
    }

    Path log() {
        return data.resolve("postgres.log");
    }
}
