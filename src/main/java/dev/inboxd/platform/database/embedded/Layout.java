package dev.inboxd.platform.database.embedded;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Where things lie in the data folder.
 *
 * @param data the data folder, its real path
 */
record Layout(Path data) {
    /** The only major version this launcher starts; a cluster of another one needs an export and an import. */
    static final int MAJOR_VERSION = 18;

    /** The layout of a data folder that exists; without symbolic links, as the kernel names it too. */
    static Layout of(Path data) {
        try {
            return new Layout(data.toRealPath());
        } catch (IOException e) {
            throw new EmbeddedPostgresException("The data folder " + data + " cannot be read: " + e.getMessage(), e);
        }
    }

    Path cluster() {
        return data.resolve("postgres-" + MAJOR_VERSION);
    }

    /** A cluster being made; renamed to {@link #cluster()} when it is whole. */
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
