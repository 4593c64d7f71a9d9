package dev.inboxd.base.database.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An index whose making was stopped in the middle is made by the next start. */
class InvalidIndexesDbTest {
    /** A table of letters, and an index of their names. */
    private static final String CONCURRENT = "concurrent-migrations/";

    private static final String INDEX = "create unique index concurrently letter_name on letter (name)";

    private final Database.Location location = TestPostgres.database();

    private static final Duration WAIT = Duration.ofMillis(200);

    @Test
    void anIndexThatAKilledMigrationLeftIsMadeByTheNextStart() {
        migrate();
        // As it is when the database went in the middle: an index that is invalid, and no word of it in the history.
        execute("drop index letter_name", "delete from flyway_schema_history where version = '0002'");
        leaveInvalid();
        assertThat(indexes()).containsExactly("letter_name invalid");
        migrate();
        assertThat(indexes()).containsExactly("letter_name valid");
    }

    @Test
    void anIndexThatAnEarlierStartTookForMadeIsMadeAnew() {
        migrate();
        execute("drop index letter_name");
        leaveInvalid();
        assertThat(InvalidIndexes.of(location, CONCURRENT)).containsExactly("letter_name");
        start();
        assertThat(indexes()).containsExactly("letter_name valid");
        assertThat(InvalidIndexes.of(location, CONCURRENT)).isEmpty();
    }

    @Test
    void aMigrationThatFailedWhileItMadeAnIndexRunsAgain() {
        migrate();
        execute(
                "drop index letter_name",
                "delete from flyway_schema_history where version = '0002'",
                "insert into letter values (1, 'a'), (2, 'a')");
        assertThatThrownBy(this::migrate).hasStackTraceContaining("letter_name");
        assertThat(indexes()).containsExactly("letter_name invalid");
        assertThatThrownBy(this::migrate).hasStackTraceContaining("letter_name").hasStackTraceContaining("duplicated");
        execute("delete from letter where id = 2");
        migrate();
        assertThat(indexes()).containsExactly("letter_name valid");
    }

    @Test
    void anIndexThatCannotBeMadeAnewStopsNoStart() {
        migrate();
        execute("drop index letter_name", "insert into letter values (1, 'a'), (2, 'a')");
        assertThatThrownBy(() -> execute(INDEX)).hasMessageContaining("duplicated");
        start();
        assertThat(indexes()).contains("letter_name invalid");
        execute("delete from letter where id = 2");
        start();
        assertThat(indexes()).containsExactly("letter_name valid");
    }

    @Test
    void indexesThatAreNotOfMigrationsAreLeftAlone() {
        migrate();
        execute("insert into letter values (1, 'a'), (2, 'b')", "create table other (name text)");
        execute("insert into other values ('a'), ('a')");
        assertThatThrownBy(() -> execute("create unique index concurrently other_name on other (name)"))
                .hasMessageContaining("duplicated");
        start();
        assertThat(indexes()).contains("other_name invalid");
        assertThat(InvalidIndexes.of(location, CONCURRENT)).isEmpty();
    }

    @Test
    void ofTwoNodesThatStartTogetherOneMakesTheIndex() throws Exception {
        migrate();
        execute("drop index letter_name");
        leaveInvalid();
        CompletableFuture<Void> first;
        try (Connection writer = connect();
                Statement statement = writer.createStatement()) {
            hold(writer, statement);
            first = CompletableFuture.runAsync(() -> InvalidIndexes.mend(location, CONCURRENT, Duration.ofMinutes(1)));
            Eventually.await(() -> copies() == 1);
            InvalidIndexes.mend(location, CONCURRENT, WAIT);
            assertThat(first).isNotDone();
            assertThat(copies()).isEqualTo(1);
            writer.rollback();
        }
        first.get(1, TimeUnit.MINUTES);
        assertThat(indexes()).containsExactly("letter_name valid");
    }

    @Test
    void aTransactionThatIsLeftOpenDelaysNoStart() throws SQLException {
        migrate();
        execute("drop index letter_name");
        leaveInvalid();
        try (Connection writer = connect();
                Statement statement = writer.createStatement()) {
            hold(writer, statement);
            // A wait without a limit would never come back: only this thread ends the transaction.
            start();
            assertThat(indexes()).contains("letter_name invalid");
            writer.rollback();
        }
        start();
        assertThat(indexes()).containsExactly("letter_name valid");
    }

    @Test
    void aMigrationTriesAgainWhenAnotherTransactionKeepsItsUnfinishedIndex() throws SQLException {
        migrate();
        execute("drop index letter_name", "delete from flyway_schema_history where version = '0002'");
        leaveInvalid();
        try (Connection writer = connect();
                Statement statement = writer.createStatement()) {
            hold(writer, statement);
            Migrations.run(location, CONCURRENT, new Migrations.LockTimeout(WAIT, 3, () -> end(writer)));
        }
        assertThat(indexes()).containsExactly("letter_name valid");
    }

    private static void hold(Connection writer, Statement statement) throws SQLException {
        writer.setAutoCommit(false);
        statement.execute("lock table letter in row exclusive mode");
    }

    private static void end(Connection writer) {
        try {
            writer.rollback();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The number of indexes that are being made in the place of another one. */
    private long copies() {
        return indexes().stream().filter(index -> index.contains("_cc")).count();
    }

    /** What a node does: the service runs before indexes are made anew. */
    private void start() {
        migrate();
        InvalidIndexes.mend(location, CONCURRENT, WAIT);
    }

    private void migrate() {
        Migrations.run(location, CONCURRENT, Migrations.LockTimeout.USUAL);
    }

    private void leaveInvalid() {
        execute("insert into letter values (1, 'a'), (2, 'a')");
        assertThatThrownBy(() -> execute(INDEX)).hasMessageContaining("duplicated");
        execute("delete from letter");
    }

    private void execute(String... statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private List<String> indexes() {
        List<String> found = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select c.relname, i.indisvalid from pg_index i"
                        + " join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid"
                        + " where not i.indisprimary and t.relname in ('letter', 'other') order by 1")) {
            while (rows.next()) {
                found.add(rows.getString(1) + (rows.getBoolean(2) ? " valid" : " invalid"));
            }
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
        return found;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(location.url(), location.user(), location.password());
    }
}
