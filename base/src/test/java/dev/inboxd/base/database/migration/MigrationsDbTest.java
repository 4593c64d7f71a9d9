package dev.inboxd.base.database.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.SchemaException;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A start makes what is missing in the database, and leaves one alone in which nothing is. */
class MigrationsDbTest {
    private static final Duration LOCK = Duration.ofMillis(50);
    /** Two small ones: a table of letters, and a column in it. */
    private static final String STEPS = "stepwise-migrations/";

    private final Database.Location location = TestPostgres.database();

    @Test
    void aSchemaThatIsCompleteIsLeftAlone() {
        Migrations.run(location);
        List<String> history = history();
        assertThat(history).isNotEmpty();
        execute("alter table flyway_schema_history drop column execution_time"); // so that Flyway would fail
        Migrations.run(location);
        assertThat(history()).isEqualTo(history);
    }

    @Test
    void whatIsMissingIsMade() {
        migrateTo("0001"); // as an older program left it
        assertThat(history()).containsExactly("V0001__letter.sql");
        Migrations.run(location, STEPS, Migrations.LockTimeout.USUAL);
        assertThat(history()).containsExactly("V0001__letter.sql", "V0002__stamp.sql");
        execute("select stamp from letter");
    }

    @Test
    void aSchemaThatALaterProgramContinuedIsLeftAlone() {
        Migrations.run(location);
        execute("insert into flyway_schema_history values"
                + " (1000, '1000', 'later', 'SQL', 'V1000__later.sql', 7, 'somebody', now(), 1, true)");
        Migrations.run(location);
        assertThat(history()).endsWith("V1000__later.sql");
    }

    @Test
    void aMigrationOfTheSameNameWithAnotherTextIsRefused() {
        Migrations.run(location);
        execute("update flyway_schema_history set checksum = checksum + 1");
        assertThatThrownBy(() -> Migrations.run(location)).isInstanceOf(SchemaException.class);
    }

    /** Its tables are those of the file that replaces them; the migrations behind that one run. */
    @Test
    @Tag("long")
    void aDatabaseOfTheFormerMigrationsIsOfThisProgram() throws Exception {
        List<String> ours = SchemaHistory.lines("migrations/");
        Migrations.runTo(location, ours.subList(0, 1));
        pretend(former());
        Migrations.run(location);
        assertThat(Migrations.requireUsable(location)).isTrue();
        assertThat(history()).hasSize(former().size() + ours.size() - 1);
        try (Connection connection = connect()) {
            assertThat(Migrations.history(connection)).isEqualTo(ours);
            assertThat(SchemaHistory.indexes(connection, "migrations/")).containsEntry("delivery_claimed", true);
        }
        Migrations.requireKnown(former());
    }

    @Test
    void aDatabaseOfSomeOfTheFormerMigrationsIsToldTheWay() throws IOException {
        Migrations.run(location);
        List<String> some = former().subList(0, 20);
        pretend(some);
        assertThatThrownBy(() -> Migrations.run(location))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("start revision");
        assertThatThrownBy(() -> Migrations.requireKnown(some))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("start revision");
        assertThat(history()).hasSize(some.size());
    }

    @Test
    void aCopyGetsTheTablesOfItsSourceFirst() throws IOException {
        List<String> steps = SchemaHistory.lines(STEPS);
        Migrations.runTo(location, STEPS, steps.subList(0, 1));
        assertThat(history()).containsExactly("V0001__letter.sql");
        Migrations.run(location, STEPS, Migrations.LockTimeout.USUAL);
        assertThat(history()).containsExactly("V0001__letter.sql", "V0002__stamp.sql");
    }

    private static List<String> former() throws IOException {
        return Files.readAllLines(Path.of("base/src/test/resources/former-migrations.txt"));
    }

    private void pretend(List<String> lines) {
        execute("delete from flyway_schema_history");
        for (int i = 0; i < lines.size(); i++) {
            String[] words = lines.get(i).split(" ", -1);
            String version =
                    words[0].replaceFirst("^V", "").replaceFirst("__.*", "").replace('_', '.');
            execute("insert into flyway_schema_history values (" + (i + 1) + ", '" + version + "', 'former', 'SQL', '"
                    + words[0] + "', " + words[1] + ", 'somebody', now(), 1, true)");
        }
    }

    /** Of a table that is being written: all other writers would queue behind one that waits without end. */
    @Test
    void aMigrationThatGetsNoLockLetsOthersPassAndComesAgain() throws SQLException {
        migrateTo("0001");
        try (Connection writer = connect();
                Connection other = connect()) {
            write(writer);
            Migrations.LockTimeout once = new Migrations.LockTimeout(LOCK, 1, () -> {
                throw new AssertionError("it comes once");
            });
            assertThatThrownBy(() -> Migrations.run(location, STEPS, once))
                    .isInstanceOf(FlywayException.class)
                    .hasStackTraceContaining("lock timeout");
            AtomicInteger times = new AtomicInteger();
            Migrations.run(location, STEPS, new Migrations.LockTimeout(LOCK, 3, () -> {
                times.incrementAndGet();
                write(other); // at once, as nobody waits before it
                end(other);
                end(writer);
            }));
            assertThat(times).hasValue(1);
        }
        assertThat(history()).containsExactly("V0001__letter.sql", "V0002__stamp.sql");
    }

    private void migrateTo(String version) {
        Flyway.configure()
                .dataSource(location.url(), location.user(), location.password())
                .locations("classpath:" + STEPS)
                .target(version)
                .load()
                .migrate();
    }

    private Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set lock_timeout = '10s'");
        }
        return connection;
    }

    private static void write(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("update letter set id = id");
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void end(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private List<String> history() {
        try (Database database = new Database(location, null)) {
            return database.read(
                    tx -> tx.sql("select script from flyway_schema_history where success" + " order by installed_rank")
                            .list(row -> row.text("script")));
        }
    }
}
