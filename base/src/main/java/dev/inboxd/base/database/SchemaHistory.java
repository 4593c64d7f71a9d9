package dev.inboxd.base.database;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;

/** The migrations that have run in a database, compared with those of this program. */
final class SchemaHistory {
    /** Names have no quotation marks. */
    private static final Pattern INDEX = Pattern.compile(
            "\\bcreate\\s+(?:unique\\s+)?index\\s+(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?(\\w+)\\s+on\\b");

    private SchemaHistory() {}

    /**
     * A migration.
     *
     * @param script name of its file; migrations run in the order of these names
     * @param checksum Flyway's checksum of its text
     */
    private record Migration(String script, int checksum) {
        String line() {
            return script + " " + checksum;
        }
    }

    /**
     * Whether all migrations of this program have run. This takes one query; loading Flyway to ask it takes a third of
     * the start's time. Cases that the query does not decide are left to Flyway.
     *
     * @param folder of the scripts on the class path
     * @throws SchemaException when other migrations have run; the migrations of a later program, which include all of
     *     these, are accepted
     */
    static boolean isComplete(Database.Location location, String folder) {
        List<Migration> applied;
        List<Migration> ours;
        try (Connection connection = Citus.connect(location)) {
            applied = applied(connection);
            ours = applied.isEmpty() ? List.of() : ours(folder);
        } catch (SQLException | IOException unknown) {
            return false;
        }
        int common = Math.min(applied.size(), ours.size());
        if (!applied.subList(0, common).equals(ours.subList(0, common))) {
            throw new SchemaException("The database has the tables of another revision of inboxd, which this one cannot"
                    + " use: name an empty database in INBOXD_DATABASE_URL or, for the embedded one, a new data folder"
                    + " in INBOXD_DATA_DIR.");
        }
        return common > 0 && common == ours.size();
    }

    /**
     * The migrations that have run: the name of each script and the checksum of its text, in the order they ran.
     *
     * @throws SQLException when none has
     */
    static List<String> lines(Connection connection) throws SQLException {
        return applied(connection).stream().map(Migration::line).toList();
    }

    /** The migrations of this program, in the same form. */
    static List<String> lines(String folder) throws IOException {
        return ours(folder).stream().map(Migration::line).toList();
    }

    /**
     * The names of the indexes that the migrations of this program make, each with whether its migration has run.
     *
     * @param folder of the scripts on the class path
     */
    static Map<String, Boolean> indexes(Connection connection, String folder) throws SQLException {
        Set<String> run = new HashSet<>();
        if (isThere(connection)) {
            applied(connection).forEach(migration -> run.add(migration.script));
        }
        Map<String, Boolean> indexes = new HashMap<>();
        try {
            for (String script : scripts(folder)) {
                indexes(folder, script).forEach(name -> indexes.put(name, run.contains(script)));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return indexes;
    }

    /** The names of the indexes that one migration of this program makes. */
    static Set<String> indexes(String folder, String script) {
        Set<String> indexes = new HashSet<>();
        try {
            Matcher names = INDEX.matcher(String.join("\n", text(folder + script)));
            while (names.find()) {
                indexes.add(names.group(1));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return indexes;
    }

    /**
     * Forgets migrations that failed outside a transaction, which Flyway would not run again. Each of them makes one
     * index, and what it left of that is dropped ({@link ConnectCallback}).
     */
    static void forgetFailures(Database.Location location) {
        try (Connection connection = Citus.connect(location)) {
            if (isThere(connection)) {
                try (PreparedStatement failed = connection.prepareStatement(
                        "delete from flyway_schema_history where not success and type = 'SQL'")) {
                    failed.execute();
                }
            }
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    private static boolean isThere(Connection connection) throws SQLException {
        try (PreparedStatement there = connection.prepareStatement("select to_regclass('flyway_schema_history')");
                ResultSet row = there.executeQuery()) {
            return row.next() && row.getString(1) != null;
        }
    }

    private static List<Migration> applied(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select script, checksum"
                        + " from flyway_schema_history where success and type = 'SQL' order by installed_rank");
                ResultSet rows = statement.executeQuery()) {
            List<Migration> applied = new ArrayList<>();
            while (rows.next()) {
                applied.add(new Migration(rows.getString("script"), rows.getInt("checksum")));
            }
            return applied;
        }
    }

    private static List<Migration> ours(String folder) throws IOException {
        List<Migration> ours = new ArrayList<>();
        for (String script : scripts(folder)) {
            ours.add(new Migration(script, checksum(folder + script)));
        }
        return ours;
    }

    /** The names of all migrations of this program, from a jar or a folder of classes. */
    private static List<String> scripts(String folder) throws IOException {
        URL url = SchemaHistory.class.getResource("/" + folder);
        if (url == null) {
            return List.of();
        }
        URLConnection connection = url.openConnection();
        if (!(connection instanceof JarURLConnection inJar)) {
            try (Stream<Path> files = Files.list(Path.of(URI.create(url.toString())))) {
                return files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".sql"))
                        .sorted()
                        .toList();
            }
        }
        inJar.setUseCaches(false); // so that this stream owns the file and closes it
        try (JarFile jar = inJar.getJarFile()) {
            return jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.startsWith(folder) && name.endsWith(".sql"))
                    .map(name -> name.substring(folder.length()))
                    .sorted()
                    .toList();
        }
    }

    /** Flyway's checksum: over the lines without their ends. */
    private static int checksum(String file) throws IOException {
        CRC32 checksum = new CRC32();
        text(file).forEach(line -> checksum.update(line.getBytes(StandardCharsets.UTF_8)));
        return (int) checksum.getValue();
    }

    private static List<String> text(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(SchemaHistory.class.getResourceAsStream("/" + file), file);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        }
    }
}
