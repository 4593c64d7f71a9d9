package dev.inboxd.platform.database;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;

/** Which migrations have run in a database, and whether they are those of this program. */
final class SchemaHistory {
    private SchemaHistory() {}

    /**
     * A migration.
     *
     * @param script the name of its file; in the order of names they run
     * @param checksum Flyway's, of its text
     */
    private record Migration(String script, int checksum) {}

    /**
     * Whether all migrations of this program have run. It is one question to the database, while loading Flyway to ask
     * it takes a third of a start's time. What is not found out here is left to Flyway.
     *
     * @param folder where the migrations are on the class path
     * @throws SchemaException when others have run; a later program may have run these and more of them
     */
    static boolean isComplete(Database.Location location, String folder) {
        List<Migration> applied;
        List<Migration> ours;
        try {
            applied = applied(location);
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

    private static List<Migration> applied(Database.Location location) throws SQLException {
        try (Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
                PreparedStatement statement = connection.prepareStatement("select script, checksum"
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

    /** The names of all migrations of this program, which is a jar or a folder of classes. */
    private static List<String> scripts(String folder) throws IOException {
        URL url = SchemaHistory.class.getResource("/" + folder);
        if (url == null) {
            return List.of();
        }
        URLConnection connection = url.openConnection();
        if (!(connection instanceof JarURLConnection inJar)) {
            try (Stream<Path> files = Files.list(Path.of(URI.create(url.toString())))) {
                return files.map(file -> file.getFileName().toString()).sorted().toList();
            }
        }
        inJar.setUseCaches(false); // so that it is ours to close
        try (JarFile jar = inJar.getJarFile()) {
            return jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.startsWith(folder) && name.endsWith(".sql"))
                    .map(name -> name.substring(folder.length()))
                    .sorted()
                    .toList();
        }
    }

    /** As Flyway calculates it: over the lines without their ends. */
    private static int checksum(String file) throws IOException {
        CRC32 checksum = new CRC32();
        try (InputStream in = Objects.requireNonNull(SchemaHistory.class.getResourceAsStream("/" + file), file);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                checksum.update(line.getBytes(StandardCharsets.UTF_8));
            }
        }
        return (int) checksum.getValue();
    }
}
