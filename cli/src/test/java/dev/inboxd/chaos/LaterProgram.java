package dev.inboxd.chaos;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** This program with two migrations more: a column, and an index that is made while others write. */
final class LaterProgram {
    /** Of the last of the two. */
    static final String VERSION = "9001.2";

    private static final Map<String, String> MIGRATIONS = Map.of(
            "V9001_1__later_column.sql",
            "alter table message add column later boolean not null default false;\n",
            "V9001_2__later_index.sql",
            """
                    set lock_timeout = 0;
                    create index concurrently if not exists message_later on message (organization_id) where later;
                    reset lock_timeout;
                    """,
            "V9001_2__later_index.sql.conf",
            "executeInTransaction=false\n");

    private LaterProgram() {}

    /**
     * The command of it.
     *
     * @param program the command of this program; its last but one word is the class path
     * @param folder for the jar with the migrations
     */
    static List<String> of(List<String> program, Path folder) throws IOException {
        String path = program.get(program.size() - 2);
        Path base = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(jar -> String.valueOf(jar.getFileName()).startsWith("inboxd-base-"))
                .findFirst()
                .orElseThrow();
        List<String> later = new ArrayList<>(program);
        later.removeIf(option -> option.startsWith("-XX:AOTCache=")); // of another class path
        // In front of all: the program's own jar names the jar without them in its manifest.
        later.set(later.size() - 2, withMigrations(base, folder) + File.pathSeparator + path);
        return later;
    }

    private static Path withMigrations(Path jar, Path folder) throws IOException {
        Path later = Files.copy(jar, folder.resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        try (FileSystem files = FileSystems.newFileSystem(URI.create("jar:" + later.toUri()), Map.of())) {
            for (Map.Entry<String, String> migration : MIGRATIONS.entrySet()) {
                Files.writeString(files.getPath("migrations", migration.getKey()), migration.getValue());
            }
        }
        return later;
    }
}
