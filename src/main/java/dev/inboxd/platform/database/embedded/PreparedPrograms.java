package dev.inboxd.platform.database.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * PostgreSQL's programs beside the cache of Java, where {@code inboxd prepare} put them: the first start on a data
 * folder copies them from there, which takes a tenth of the time of unpacking them.
 */
public final class PreparedPrograms {
    /** The system property with which the launchers name the folder of the programs. */
    public static final String PROPERTY = "inboxd.programs";

    private PreparedPrograms() {}

    /**
     * Keeps the programs of a data folder.
     *
     * @param dataDirectory a data folder on which no service runs
     * @param kept the folder that the launchers will name; programs of this version that are in it are left
     * @throws IOException when they cannot be written, of which nothing is left
     */
    public static void keep(Path dataDirectory, Path kept) throws IOException {
        Path made = PostgresPrograms.in(EmbeddedPostgres.programs(dataDirectory));
        Path target = PostgresPrograms.in(kept);
        if (Files.exists(target) || !Files.isDirectory(made)) {
            return;
        }
        Files.createDirectories(kept);
        Path unfinished = Files.createTempDirectory(kept, PostgresPrograms.UNFINISHED);
        try {
            copy(made, unfinished);
            DurableFolders.rename(unfinished, target);
        } finally {
            DurableFolders.delete(unfinished);
        }
    }

    /** The programs of this version, when a launcher named a folder that has them. */
    static Optional<Path> find() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .map(folder -> PostgresPrograms.in(Path.of(folder)))
                .filter(Files::isDirectory);
    }

    /** Copies a folder of programs into an existing empty one, with links and modes. */
    static void copy(Path from, Path to) throws IOException {
        Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (!folder.equals(from)) {
                    copyOne(folder);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                copyOne(file);
                return FileVisitResult.CONTINUE;
            }

            private void copyOne(Path each) throws IOException {
                Files.copy(
                        each,
                        to.resolve(from.relativize(each)),
                        LinkOption.NOFOLLOW_LINKS,
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
        });
    }
}
