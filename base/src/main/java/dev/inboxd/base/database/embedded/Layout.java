package dev.inboxd.base.database.embedded;

import dev.inboxd.base.io.FileFailure;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Paths in the data folder.
 *
 * @param data the data folder, its real path
 * @param version the major version of the cluster
 * @param suffix of its folder; empty but for one that an upgrade makes
 */
record Layout(Path data, int version, String suffix) {
    /** The major version that this program brings along. A cluster of an earlier one is copied into a new one. */
    static final int MAJOR_VERSION = 18;

    private static final String UPGRADE_SUFFIX = ".upgrade";

    /** The cluster that a service runs. */
    Layout(Path data) {
        this(data, MAJOR_VERSION, "");
    }

    /** A cluster of an earlier version in the same data folder. */
    Layout earlier(int earlierVersion) {
        return new Layout(data, earlierVersion, "");
    }

    /** The cluster that an upgrade fills. */
    Layout upgradeTarget() {
        return new Layout(data, MAJOR_VERSION, UPGRADE_SUFFIX);
    }

    private boolean isUsual() {
        return version == MAJOR_VERSION && suffix.isEmpty();
    }

    private String name() {
        return "postgres-" + version + suffix;
    }

    private Path file(String kind) {
        return data.resolve((isUsual() ? "postgres" : name()) + "." + kind);
    }

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
        return data.resolve(name());
    }

    /** A cluster that is being created; renamed to {@link #cluster()} when it is complete. */
    Path unfinishedCluster() {
        return data.resolve(name() + ".new");
    }

    Path password() {
        return data.resolve("postgres.password");
    }

    Path port() {
        return file("port");
    }

    Path log() {
        return file("log");
    }
}
