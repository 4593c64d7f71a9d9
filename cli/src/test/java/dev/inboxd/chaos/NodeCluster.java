package dev.inboxd.chaos;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes that share a database, a secret key and blobs, each a process of the service that was just compiled.
 *
 * @param folder where the nodes have their data folders
 * @param database as the setting names it
 */
record NodeCluster(Path folder, String database) {
    /** The command of the service that was just compiled, in as little memory as a test needs. */
    static List<String> program() {
        return program("-Dinboxd.programs=" + Path.of("target", "test-programs").toAbsolutePath());
    }

    /** The same, which unpacks PostgreSQL's programs by itself. */
    static List<String> unpreparedProgram() {
        return program("-Dinboxd.programs=/nonexistent");
    }

    private static List<String> program(String option) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                option,
                "-cp",
                System.getProperty("java.class.path"),
                "dev.inboxd.Main");
    }

    /**
     * Starts a node and returns when it is ready.
     *
     * @param name the same for the same node after a restart
     * @param settings further ones, by variable
     */
    Service start(String name, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("INBOXD_DATABASE_URL", database);
        all.put("INBOXD_SECRET_KEY", "0123456789abcdef".repeat(3));
        all.put("INBOXD_BLOB_URL", folder.resolve("blobs").toUri().toString());
        return Service.start(new Service.Place(program(), folder.resolve(name), 0, 0, all));
    }
}
