package dev.inboxd.base.yaml;

import dev.inboxd.base.error.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The bytes of a file that a setting names. */
public final class YamlFile {
    private YamlFile() {}

    /**
     * The bytes of a file, and at most one more than a document may have.
     *
     * @param kind what is in the file, one word for people such as {@code apps}
     * @throws Problem {@code validation_error} when it is not there or cannot be read
     */
    public static byte[] read(Path path, String kind) {
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(YamlDocument.MOST_BYTES + 1);
        } catch (NoSuchFileException missing) {
            throw Problem.invalid(kind, "The " + kind + " file " + path + " does not exist");
        } catch (IOException unreadable) {
            throw Problem.invalid(
                    kind, "The " + kind + " file " + path + " cannot be read: " + unreadable.getMessage());
        }
    }
}
