package dev.inboxd.base.database.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;

/**
 * PostgreSQL's programs beside the cache of Java, where {@code inboxd prepare} unpacks them: the first start on a data
 * folder copies them from there, which takes a tenth of the time of unpacking them. They are an aid alone: a start that
 * cannot use them unpacks its own.
 */
public final class PreparedPrograms {
    /** The system property with which the launchers name the folder of the programs. */
    private static final String PROPERTY = "inboxd.programs";

    private static final String ROOT = "root";

    private PreparedPrograms() {}

    /**
     * Unpacks the programs into the folder that the launcher named, when they are not there yet. Does nothing without a
     * launcher.
     *
     * @throws EmbeddedPostgresException when they cannot be unpacked there
     */
    public static void keep() {
        folder().ifPresent(PostgresPrograms::unpack);
    }

    private static Optional<Path> folder() {
        return Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of);
    }

    /**
     * Fills a folder with the programs of this version that a launcher named.
     *
     * @param target an empty folder of ours
     * @return whether there were programs to use
     * @throws IOException when they cannot be copied, or one of them is of another account than ours and root's, which
     *     could have changed it; some of them may have been copied then
     */
    static boolean copyInto(Path target) throws IOException {
        Optional<PostgresPrograms> prepared = folder().map(parent -> new PostgresPrograms(PostgresPrograms.in(parent)))
                .filter(programs -> Files.isExecutable(programs.postgres()) && Files.isExecutable(programs.initdb()));
        if (prepared.isEmpty()) {
            return false;
        }
        copy(prepared.get().folder(), target);
        return true;
    }

    private static void copy(Path from, Path to) throws IOException {
        String account = Files.getOwner(to).getName();
        Files.setPosixFilePermissions(to, TarArchive.EXECUTABLE);
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                requireTrusted(folder);
                if (!folder.equals(from)) {
                    Files.setPosixFilePermissions(Files.createDirectory(target(folder)), TarArchive.EXECUTABLE);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                requireTrusted(file);
                if (attributes.isSymbolicLink()) {
                    Files.createSymbolicLink(target(file), Files.readSymbolicLink(file));
                } else {
                    boolean executable =
                            Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_EXECUTE);
                    Files.copy(file, target(file));
                    Files.setPosixFilePermissions(
                            target(file), executable ? TarArchive.EXECUTABLE : TarArchive.READABLE);
                }
                return FileVisitResult.CONTINUE;
            }

            private void requireTrusted(Path file) throws IOException {
                String owner = Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName();
                if (!owner.equals(ROOT) && !owner.equals(account)) {
                    throw new IOException(file + " is of the account " + owner);
                }
            }

            private Path target(Path file) {
                return to.resolve(from.relativize(file));
            }
        });
    }
}
