package dev.inboxd.database.embedded;

import java.nio.file.Path;

/**
 * Where things lie in the data folder.
 *
 * @param data the data folder, absolute
 */
record Layout(Path data) {
    /** The only major version this launcher starts; a cluster of another one needs an export and an import. */
    static final int MAJOR_VERSION = 18;

    Layout {
        data = data.toAbsolutePath().normalize();
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

    Path programs() {
        return data.resolve("programs");
    }
}
