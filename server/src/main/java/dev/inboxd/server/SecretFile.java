package dev.inboxd.server;

import dev.inboxd.base.io.FileFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * A secret in the data folder, in a file of its own that only the user of the service reads.
 *
 * @param path the file
 * @param subject what it is, as the beginning of a sentence: {@code The master key}
 * @param remedy what an operator does who cannot read it, as the end of a sentence
 */
record SecretFile(Path path, String subject, String remedy) {
    /**
     * The secret; empty when there is none yet.
     *
     * @throws InstallationException when the file cannot be read
     */
    Optional<String> read() {
        try {
            return Files.exists(path) ? Optional.of(Files.readString(path).strip()) : Optional.empty();
        } catch (IOException unreadable) {
            throw new InstallationException(subject + " cannot be read from " + path + " ("
                    + FileFailure.words(unreadable) + "): " + remedy + ".");
        }
    }

    /** Keeps a secret where none was; on return it survives a power loss. */
    void keep(String secret) {
        Path unfinished = path.resolveSibling(path.getFileName() + ".new");
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
            Files.deleteIfExists(unfinished); // of a start that was killed
            Files.createFile(
                    unfinished, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(
                    unfinished, secret, StandardCharsets.US_ASCII, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    subject + " cannot be written to " + path + ": " + FileFailure.words(failure), failure);
        }
    }
}
