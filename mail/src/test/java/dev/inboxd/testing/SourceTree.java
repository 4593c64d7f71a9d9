package dev.inboxd.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The modules of the checkout, for tests that look at the sources or the compiled classes of all. */
public final class SourceTree {
    private static final List<Path> MODULES = Stream.of("mail", "base", "server", "cli")
            .map(Path::of)
            .filter(Files::isDirectory)
            .toList();

    /** Each module's folder of sources of the program. */
    public static final List<Path> MAIN = below("src/main/java");
    /** Each module's folder of sources of tests. */
    public static final List<Path> TESTS = below("src/test/java");
    /** Each module's folder of classes of the program. */
    public static final List<Path> CLASSES = below("target/classes");
    /** Each module's folder of classes of tests. */
    public static final List<Path> TEST_CLASSES = below("target/test-classes");

    private SourceTree() {}

    private static List<Path> below(String folder) {
        return MODULES.stream().map(module -> module.resolve(folder)).toList();
    }

    /** The files below some folders whose names end so, in the order of their paths. */
    public static List<Path> files(List<Path> folders, String suffix) {
        return folders.stream()
                .flatMap(folder -> files(folder, suffix).stream())
                .sorted()
                .toList();
    }

    private static List<Path> files(Path folder, String suffix) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
