package dev.inboxd.platform.database.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs, unpacked from the archive on the class path.
 *
 * @param folder the unpacked archive, with {@code bin}, {@code lib} and {@code share}
 */
record PostgresPrograms(Path folder) {
    /** The version of the archives on the class path; a test compares it with the program's own answer. */
    static final String VERSION = "18.6.0";

    Path postgres() {
        return folder.resolve("bin").resolve("postgres");
    }

    Path initdb() {
        return folder.resolve("bin").resolve("initdb");
    }

    /**
     * Unpacks the programs once into a folder named after their version. Safe against a crash in between and against
     * two processes at once: the folder appears complete, by one rename.
     *
     * @param parent the folder for unpacked programs
     */
    static PostgresPrograms unpack(Path parent) {
        Path folder = parent.toAbsolutePath().resolve("postgres-" + VERSION);
        PostgresPrograms programs = new PostgresPrograms(folder);
        if (Files.isExecutable(programs.postgres())) {
            return programs;
        }
        try {
            Files.createDirectories(parent);
            Path unfinished = Files.createTempDirectory(parent, "unpacking-");
            try (InputStream archive = new BufferedInputStream(new XZInputStream(archive()))) {
                TarArchive.unpack(archive, unfinished);
                if (!Files.isDirectory(folder)) {
                    DurableFolders.rename(unfinished, folder);
                }
            } finally {
                DurableFolders.delete(unfinished);
            }
            return programs;
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "PostgreSQL's programs cannot be unpacked into " + folder + ": " + e.getMessage(), e);
        }
    }

    private static InputStream archive() {
        String architecture = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        String name = switch (architecture) {
            case "amd64", "x86_64" -> "/postgres-linux-x86_64.txz";
            case "aarch64", "arm64" -> "/postgres-linux-arm_64.txz";
            default -> "/postgres-" + architecture + ".txz";
        };
        InputStream archive =
                System.getProperty("os.name").equals("Linux") ? PostgresPrograms.class.getResourceAsStream(name) : null;
        if (archive == null) {
            throw new EmbeddedPostgresException("There is no embedded PostgreSQL for " + System.getProperty("os.name")
                    + " on " + architecture + ". Point INBOXD_DATABASE_URL at a PostgreSQL 15 or newer.");
        }
        return archive;
    }
}
