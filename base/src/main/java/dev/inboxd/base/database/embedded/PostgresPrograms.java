package dev.inboxd.base.database.embedded;

import dev.inboxd.base.io.FileFailure;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs, unpacked from the archive on the class path, or copied from where that was done before.
 *
 * @param folder the unpacked archive, with {@code bin}, {@code lib} and {@code share}
 */
record PostgresPrograms(Path folder) {
    /** The version of the archives on the class path; a test compares it with the program's own answer. */
    static final String VERSION = "18.6.0";

    private static final String UNFINISHED = "unpacking-";

    /** Where this version's programs are in a folder for unpacked programs. */
    static Path in(Path parent) {
        return parent.toAbsolutePath().resolve("postgres-" + VERSION);
    }

    Path postgres() {
        return folder.resolve("bin").resolve("postgres");
    }

    Path initdb() {
        return folder.resolve("bin").resolve("initdb");
    }

    /**
     * Unpacks the programs once into a folder named after their version. Safe against a crash in between and against
     * two processes at once: one unpacks at a time, and the folder appears complete, by one rename.
     *
     * @param parent the folder for unpacked programs
     */
    static synchronized PostgresPrograms unpack(Path parent) {
        Path folder = in(parent);
        PostgresPrograms programs = new PostgresPrograms(folder);
        if (Files.isExecutable(programs.postgres())) {
            return programs;
        }
        try {
            Files.createDirectories(parent);
            try (FileChannel file = FileChannel.open(
                            parent.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = file.lock()) {
                unpack(parent, folder);
            }
            return programs;
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "PostgreSQL's programs cannot be unpacked into " + folder + ": " + FileFailure.words(e), e);
        }
    }

    /**
     * The programs that a cluster of an earlier version was made with, which stay in the data folder.
     *
     * @param parent the folder for unpacked programs
     */
    static Optional<PostgresPrograms> ofVersion(Path parent, int version) {
        try (Stream<Path> folders = Files.list(parent)) {
            return folders.filter(folder -> folder.getFileName().toString().startsWith("postgres-" + version + "."))
                    .map(PostgresPrograms::new)
                    .filter(programs -> Files.isExecutable(programs.postgres()))
                    .max(Comparator.comparing(programs -> programs.folder.toString()));
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    /** The caller holds the lock, so any unfinished folder is one of a process that was killed. */
    private static void unpack(Path parent, Path folder) throws IOException {
        try (var abandoned = Files.newDirectoryStream(parent, UNFINISHED + "*")) {
            for (Path abandonedFolder : abandoned) {
                DurableFolders.delete(abandonedFolder);
            }
        }
        if (Files.isDirectory(folder)) {
            return;
        }
        Path unfinished = Files.createTempDirectory(parent, UNFINISHED);
        try {
            fill(unfinished);
            DurableFolders.rename(unfinished, folder);
        } finally {
            DurableFolders.delete(unfinished);
        }
    }

    private static void fill(Path folder) throws IOException {
        try {
            if (PreparedPrograms.copyInto(folder)) {
                return;
            }
        } catch (IOException unusable) {
            DurableFolders.delete(folder);
            Files.createDirectory(folder);
        }
        try (InputStream archive = new BufferedInputStream(new XZInputStream(archive()))) {
            TarArchive.unpack(archive, folder);
        }
    }

    private static InputStream archive() {
        Platform platform = Platform.current();
        InputStream archive = PostgresPrograms.class.getResourceAsStream(platform.archive());
        if (archive == null) {
            throw new EmbeddedPostgresException("There is no embedded PostgreSQL for " + platform.system() + " on "
                    + platform.processor() + " in this inboxd. Point INBOXD_DATABASE_URL at a PostgreSQL 15 or newer.");
        }
        return archive;
    }
}
