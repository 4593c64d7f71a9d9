package dev.inboxd.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
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

    /** Of the classes of this Java; or, where the test command says so, of the jar that it built, with its cache. */
    private static List<String> program(String option) {
        String jar = System.getProperty("inboxd.test.jar", "");
        String cache = System.getProperty("inboxd.test.cache", "");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders", // as the cache was made
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                option));
        if (!cache.isEmpty()) {
            command.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:aot*=off"));
        }
        command.addAll(List.of("-cp", jar.isEmpty() ? System.getProperty("java.class.path") : jar, "dev.inboxd.Main"));
        return command;
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
