package dev.inboxd.testing;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Folders for what outlives a test: they go when this Java ends. */
public final class TestFolder {
    private static final Set<Path> CREATED = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> CREATED.forEach(TestFolder::delete)));
    }

    private TestFolder() {}

    /**
     * A new, empty folder.
     *
     * @param name with which its name begins
     */
    public static Path create(String name) throws IOException {
        Path folder = Files.createTempDirectory(name);
        CREATED.add(folder);
        return folder;
    }

    private static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                        throws IOException {
                    Files.delete(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException inUse) {
            // A process that the test started writes to it still: the folder stays.
        }
    }
}
