package dev.inboxd.base.database.migration;

import dev.inboxd.base.database.Citus;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.SchemaException;
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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
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

    /** How many migrations the first file of this program replaces, the first of them, and the SHA-256 of all. */
    private static final int FORMER_COUNT = 37;

    private static final String FORMER_FIRST = "V0001__schema.sql -1870287421";
    private static final String FORMER_DIGEST = "8f7e3c5bcd5f9a9d22a5891257aae9f9771b193e373c0d4af2676166c200cf4a";
    private static final String FORMER_FOLDER = "migrations/";
    private static final String FORMER_REVISION = "2538ad5e";

    private SchemaHistory() {}

    /**
     * Whether all migrations of this program have run. This takes one query; loading Flyway to ask it takes a third of
     * the start's time. Cases that the query does not decide are left to Flyway.
     *
     * @param folder of the scripts on the class path
     * @throws SchemaException when other migrations have run; the migrations of a later program, which include all of
     *     these, are accepted
     */
    static boolean isComplete(Database.Location location, String folder) {
        List<String> applied;
        List<String> ours;
        try (Connection connection = Citus.connect(location)) {
            applied = lines(connection);
            ours = applied.isEmpty() ? List.of() : lines(folder);
        } catch (SQLException | IOException unknown) {
            return false;
        }
        int common = Math.min(applied.size(), ours.size());
        if (!applied.subList(0, common).equals(ours.subList(0, common))) {
            requireNoFormer(applied);
            throw new SchemaException("The database has the tables of another revision of inboxd, which this one cannot"
                    + " use: name an empty database in INBOXD_DATABASE_URL or, for the embedded one, a new data folder"
                    + " in INBOXD_DATA_DIR.");
        }
        return common > 0 && common == ours.size();
    }

    /**
     * The migrations that have run: the name of each script and Flyway's checksum of its text, in the order they ran.
     * The first file of this program stands for the migrations that it replaces.
     *
     * @throws SQLException when none has
     */
    static List<String> lines(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select script, checksum"
                        + " from flyway_schema_history where success and type = 'SQL' order by installed_rank");
                ResultSet rows = statement.executeQuery()) {
            List<String> applied = new ArrayList<>();
            while (rows.next()) {
                applied.add(rows.getString("script") + " " + rows.getInt("checksum"));
            }
            return current(applied);
        }
    }

    /** The migrations of this program in the same form, in the order in which they run: that of their names. */
    static List<String> lines(String folder) throws IOException {
        List<String> ours = new ArrayList<>();
        for (String script : scripts(folder)) {
            ours.add(script + " " + checksum(folder + script));
        }
        return ours;
    }

    /**
     * A history in the words of this program: where it begins with the migrations that the first file replaces, it
     * begins with that file.
     *
     * @param history of a database or of a copy
     */
    static List<String> current(List<String> history) {
        if (history.size() < FORMER_COUNT
                || !digest(history.subList(0, FORMER_COUNT)).equals(FORMER_DIGEST)) {
            return history;
        }
        List<String> current = new ArrayList<>();
        try {
            current.add(lines(FORMER_FOLDER).getFirst());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        current.addAll(history.subList(FORMER_COUNT, history.size()));
        return current;
    }

    /**
     * Refuses a history that has some of the migrations that the first file replaces, and not all.
     *
     * @throws SchemaException with the remedy
     */
    static void requireNoFormer(List<String> history) {
        if (!history.isEmpty() && history.getFirst().equals(FORMER_FIRST)) {
            throw new SchemaException(
                    "The database has the tables of an earlier version of inboxd, which this one cannot"
                            + " bring up to date: start revision " + FORMER_REVISION
                            + " with it once, and then this one.");
        }
    }

    private static String digest(List<String> lines) {
        try {
            byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * The names of the indexes that the migrations of this program make, each with whether its migration has run.
     *
     * @param folder of the scripts on the class path
     */
    static Map<String, Boolean> indexes(Connection connection, String folder) throws SQLException {
        Set<String> run = new HashSet<>();
        if (isThere(connection)) {
            lines(connection).forEach(line -> run.add(line.substring(0, line.indexOf(' '))));
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
        try (PreparedStatement statement = connection.prepareStatement("select to_regclass('flyway_schema_history')");
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getString(1) != null;
        }
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
