package dev.inboxd.base.database.embedded;

import dev.inboxd.base.io.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The upgrade of a data folder to the major version of PostgreSQL that this program brings along. The earlier server,
 * run by the programs that it was made with, and a new one stand side by side; somebody else copies. Until
 * {@link #finish} the earlier cluster is the one that counts, and a kill at any moment leaves it as it is; from then on
 * the new one does, and the earlier one stays as {@code postgres-17.old} until it is dropped.
 */
public final class VersionUpgrade implements AutoCloseable {
    private static final int FIRST = 15;
    private static final String OLD = ".old";

    private final FolderLock lock;
    private final Layout earlier;
    private final Layout target;
    private final PostgresPrograms earlierPrograms;
    private final Path programs;
    private final ServerUser account;
    private @Nullable Supervisor from;
    private @Nullable Supervisor to;

    private VersionUpgrade(FolderLock lock, Layout earlier, PostgresPrograms earlierPrograms, Path programs) {
        this.lock = lock;
        this.earlier = earlier;
        this.target = earlier.upgradeTarget();
        this.earlierPrograms = earlierPrograms;
        this.programs = programs;
        this.account = ServerUser.current();
    }

    /**
     * The room on the disk.
     *
     * @param needed megabytes that an upgrade takes
     * @param free megabytes that there are
     */
    public record Space(long needed, long free) {}

    /**
     * The earlier version in a data folder that has no cluster of this one. Also ends an upgrade that was killed
     * between its last two steps.
     */
    public static OptionalInt due(Path dataDirectory) {
        if (Files.notExists(dataDirectory)) {
            return OptionalInt.empty();
        }
        Layout current = Layout.of(dataDirectory);
        if (Files.exists(current.cluster())) {
            return OptionalInt.empty();
        }
        OptionalInt earlierVersion = versions()
                .filter(version -> Files.exists(current.earlier(version).cluster()))
                .findFirst();
        boolean isSwitched = versions().anyMatch(version -> Files.exists(old(current.earlier(version))));
        if (earlierVersion.isEmpty()
                && isSwitched
                && Files.exists(current.upgradeTarget().cluster())) {
            try (FolderLock _ = FolderLock.take(dataDirectory)) {
                DurableFolders.rename(current.upgradeTarget().cluster(), current.cluster());
            } catch (IOException failure) {
                throw failed(current, failure);
            }
        }
        return earlierVersion;
    }

    /**
     * Prepares an upgrade, and starts nothing yet.
     *
     * @param version what {@link #due} told
     * @throws EmbeddedPostgresException when the programs of that version are not in the folder, or it is in use
     */
    public static VersionUpgrade of(Path dataDirectory, int version) {
        Path programs = dataDirectory.resolve("programs");
        PostgresPrograms postgres = PostgresPrograms.ofVersion(programs, version)
                .orElseThrow(() -> new EmbeddedPostgresException("The database in " + dataDirectory
                        + " was written by PostgreSQL " + version + ", whose programs are not in " + programs
                        + " any more: start the inboxd that wrote it once, which puts them there, or move with it"
                        + " (inboxd move)."));
        FolderLock lock = FolderLock.take(dataDirectory);
        return new VersionUpgrade(lock, Layout.of(dataDirectory).earlier(version), postgres, programs);
    }

    /** The room that it takes, and that there is. */
    public Space space() {
        return FreeSpace.forCopy(earlier.cluster(), target.cluster());
    }

    /** Starts the earlier server. */
    public EmbeddedPostgres.RunningServer startEarlier() {
        Cluster cluster = Cluster.open(earlier, earlierPrograms, account);
        from = new Supervisor(cluster);
        return running(cluster, from);
    }

    /** Starts the new server, on what an upgrade that was killed has left, or on a new cluster. */
    public EmbeddedPostgres.RunningServer startNew() {
        Cluster cluster = Cluster.open(target, PostgresPrograms.unpack(programs), account);
        to = new Supervisor(cluster);
        return running(cluster, to);
    }

    /** Deletes what there is of the new cluster; {@link #startNew} makes it again. */
    public void renew() {
        stop(to);
        to = null;
        try {
            DurableFolders.delete(target.cluster());
        } catch (IOException failure) {
            throw failed(target, failure);
        }
    }

    private static EmbeddedPostgres.RunningServer running(Cluster cluster, Supervisor supervisor) {
        return new EmbeddedPostgres.RunningServer(
                EmbeddedPostgres.url(supervisor.start()), Cluster.NAME, cluster.password());
    }

    /** Stops both servers, and has the new cluster take the place of the earlier one. */
    public void finish() {
        stop(from);
        stop(to);
        try {
            // In this order no moment has both under the names that a program starts, be it this or the earlier one.
            DurableFolders.rename(earlier.cluster(), old(earlier));
            DurableFolders.rename(target.cluster(), new Layout(earlier.data()).cluster());
        } catch (IOException failure) {
            throw failed(earlier, failure);
        }
    }

    @Override
    public void close() {
        stop(from);
        stop(to);
        lock.close();
    }

    /**
     * Deletes the clusters that upgrades have left, and their programs.
     *
     * @return the folders that were deleted
     */
    public static List<Path> dropOld(Path dataDirectory) {
        Layout current = Layout.of(dataDirectory);
        List<Path> dropped = new ArrayList<>();
        if (Files.notExists(current.cluster())) {
            throw new EmbeddedPostgresException("No database of PostgreSQL " + Layout.MAJOR_VERSION + " is in "
                    + dataDirectory + ": start the service, which upgrades what is there, before the old is dropped.");
        }
        try {
            for (int version : versions().toArray()) {
                Path old = old(current.earlier(version));
                if (Files.exists(old)) {
                    DurableFolders.delete(old);
                    dropped.add(old);
                    dropPrograms(dataDirectory.resolve("programs"), version, dropped);
                }
            }
        } catch (IOException failure) {
            throw failed(current, failure);
        }
        return dropped;
    }

    private static void dropPrograms(Path programs, int version, List<Path> dropped) throws IOException {
        List<Path> folders;
        try (Stream<Path> all = Files.list(programs)) {
            folders = all.filter(folder -> folder.getFileName().toString().startsWith("postgres-" + version + "."))
                    .toList();
        }
        for (Path folder : folders) {
            DurableFolders.delete(folder);
            dropped.add(folder);
        }
    }

    private static IntStream versions() {
        return IntStream.range(FIRST, Layout.MAJOR_VERSION).map(i -> Layout.MAJOR_VERSION - 1 - (i - FIRST));
    }

    private static Path old(Layout earlier) {
        return earlier.cluster().resolveSibling(earlier.cluster().getFileName() + OLD);
    }

    private static void stop(@Nullable Supervisor server) {
        if (server != null) {
            server.stop();
        }
    }

    private static EmbeddedPostgresException failed(Layout layout, IOException failure) {
        return new EmbeddedPostgresException(
                "The database in " + layout.data() + " cannot be upgraded: " + FileFailure.words(failure), failure);
    }
}
