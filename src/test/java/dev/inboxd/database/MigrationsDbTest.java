package dev.inboxd.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Test;

/** A start makes what is missing in the database, and leaves one alone in which nothing is. */
class MigrationsDbTest {
    private static final Duration LOCK = Duration.ofMillis(50);

    @Test
    void whatIsThereIsLeftAlone() {
        Database.Location location = TestPostgres.database();
        Migrations.run(location);
        try (Database database = new Database(location, null)) {
            List<String> history = database.read(MigrationsDbTest::history);
            assertThat(history).hasSizeGreaterThan(6);
            // Flyway refuses a migration that is not the one that was run, so it is not even asked.
            database.writeGlobal(tx ->
                    tx.sql("update flyway_schema_history set checksum = 1").run());
            Migrations.run(location);
            List<String> after = database.read(MigrationsDbTest::history);
            assertThat(after).isEqualTo(history);
        }
    }

    @Test
    void whatIsMissingIsMade() {
        Database.Location location = TestPostgres.database();
        // As an older program left it, which had fewer of them.
        Flyway.configure()
                .dataSource(location.url(), location.user(), location.password())
                .locations("classpath:migrations")
                .target("0006")
                .load()
                .migrate();
        try (Database database = new Database(location, null)) {
            List<String> before = database.read(MigrationsDbTest::history);
            assertThat(before).hasSize(6);
            Migrations.run(location);
            List<String> after = database.read(MigrationsDbTest::history);
            assertThat(after).hasSizeGreaterThan(6).containsAll(before);
            int families = database.read(
                    tx -> tx.sql("select count(*) as n from domain_family").one(row -> row.integer("n")));
            assertThat(families).isZero();
        }
    }

    @Test
    void mailThatAnOlderProgramStoredIsReadAsItIsAndWhatComesNowTakesLess() {
        Database.Location location = TestPostgres.database();
        Flyway.configure()
                .dataSource(location.url(), location.user(), location.password())
                .locations("classpath:migrations")
                .target("0012")
                .load()
                .migrate();
        byte[] raw = "Subject: Hello\r\n\r\nHello, world, and the words of it.\r\n"
                .repeat(60)
                .getBytes(StandardCharsets.UTF_8);
        try (Database database = new Database(location, null)) {
            database.writeGlobal(tx -> store(tx, 1, raw));
            Migrations.run(location);
            database.writeGlobal(tx -> store(tx, 2, raw));
            assertThat(raws(database, "raw")).hasSize(2).allMatch(each -> Arrays.equals(each, raw));
            assertThat(raws(database, "substring(raw for header_size)"))
                    .hasSize(2)
                    .allMatch(each -> Arrays.equals(each, Arrays.copyOf(raw, 18)));
            List<Integer> sizes = database.read(tx -> tx.sqlAcross(
                            "select pg_column_size(raw) as size from message_content" + " order by message_id")
                    .list(row -> row.integer("size")));
            assertThat(sizes.getFirst()).isEqualTo(raw.length);
            assertThat(sizes.getLast()).isLessThan(raw.length / 2);
        }
    }

    @Test
    void whatWasKeptBeforeItWasCountedIsCountedFromTheStart() {
        Database.Location location = TestPostgres.database();
        Flyway.configure()
                .dataSource(location.url(), location.user(), location.password())
                .locations("classpath:migrations")
                .target("0018")
                .load()
                .migrate();
        try (Database database = new Database(location, null)) {
            database.writeGlobal(tx -> clock(tx, 1)
                    + clock(tx, 2)
                    + message(tx, 10, 300)
                    + message(tx, 11, 4_000)
                    + draft(tx)
                    + file(tx, 20, 50_000)
                    + file(tx, 21, 6));
            Migrations.run(location);
            List<Kept> kept = database.read(tx -> tx.sqlAcross(
                            "select k.messages, k.bytes from organization_clock k" + " order by k.organization_id")
                    .list(row -> new Kept(row.longer("messages"), row.longer("bytes"))));
            assertThat(kept).containsExactly(new Kept(2, 300 + 4_000 + 5 + 50_000 + 6), Kept.NONE);
        }
    }

    private static int clock(Tx tx, int organization) {
        return tx.sqlAcross(
                        "insert into organization_clock (organization_id, event_seq, last_at) values (:id, 0, now())")
                .bind("id", new UUID(0, organization))
                .run();
    }

    private static int message(Tx tx, int id, int size) {
        return tx.sqlAcross(
                        "insert into message (organization_id, message_id, inbox_id, pod_id, thread_id, name, labels,"
                                + " restricted, outgoing, sender, recipients_to, size, attachments, created_at, updated_at) values (:organization,"
                                + " :id, :id, :id, :id, :id::text, array[]::text[], 0, false, 'jo', array[]::text[], :size, 0, now(), now())")
                .bind("organization", new UUID(0, 1))
                .bind("id", new UUID(0, id))
                .bind("size", size)
                .run();
    }

    private static int draft(Tx tx) {
        return tx.sqlAcross("insert into draft (organization_id, draft_id, inbox_id, pod_id, labels, recipients_to,"
                        + " recipients_cc, recipients_bcc, reply_to, text_body, html_body, reference_ids, created_at, updated_at)"
                        + " select :organization, :organization, :organization, :organization, n, n, n, n, n, 'te', '<p>', n, now(),"
                        + " now() from (select array[]::text[] as n) as none")
                .bind("organization", new UUID(0, 1))
                .run();
    }

    private static int file(Tx tx, int id, int size) {
        return tx.sqlAcross(
                        "insert into draft_attachment (organization_id, attachment_id, draft_id, inbox_id, position,"
                                + " media_type, inline, size, blob) values (:organization, :id, :organization, :organization, :position,"
                                + " 'text/plain', false, :size, 'b')")
                .bind("organization", new UUID(0, 1))
                .bind("id", new UUID(0, id))
                .bind("position", id)
                .bind("size", size)
                .run();
    }

    /** Of a table that is being written: everybody else who writes it would queue behind one that waits without end. */
    @Test
    void aMigrationThatGetsNoLockLetsOthersPassAndComesAgain() throws SQLException {
        Database.Location location = TestPostgres.database();
        Flyway.configure()
                .dataSource(location.url(), location.user(), location.password())
                .locations("classpath:migrations")
                .target("0013")
                .load()
                .migrate();
        try (Connection writer = connect(location);
                Connection other = connect(location)) {
            write(writer);
            Migrations.Patience once = new Migrations.Patience(LOCK, 1, () -> {
                throw new AssertionError("it comes once");
            });
            assertThatThrownBy(() -> Migrations.run(location, once))
                    .isInstanceOf(FlywayException.class)
                    .hasStackTraceContaining("lock timeout");
            AtomicInteger times = new AtomicInteger();
            Migrations.run(location, new Migrations.Patience(LOCK, 3, () -> {
                times.incrementAndGet();
                write(other); // at once, as nobody waits before it
                end(other);
                end(writer);
            }));
            assertThat(times).hasValue(1);
        }
        try (Database database = new Database(location, null)) {
            assertThat(database.read(MigrationsDbTest::history))
                    .hasSizeGreaterThan(14)
                    .doesNotHaveDuplicates();
        }
    }

    private static Connection connect(Database.Location location) throws SQLException {
        Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set lock_timeout = '10s'");
        }
        return connection;
    }

    private static void write(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("update submission_recipient set attempts = 0");
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

    private static int store(Tx tx, int message, byte[] raw) {
        return tx.sqlAcross(
                        "insert into message_content (organization_id, message_id, inbox_id, raw, header_size, sha256)"
                                + " values (:id, :id, :id, :raw, 18, 'hash'::bytea)")
                .bind("id", new UUID(0, message))
                .bind("raw", raw)
                .run();
    }

    private static List<byte[]> raws(Database database, String what) {
        return database.read(tx ->
                tx.sqlAcross("select " + what + " as raw from message_content").list(row -> row.bytes("raw")));
    }

    private static List<String> history(Tx tx) {
        return tx.sql("select script from flyway_schema_history where success order by installed_rank")
                .list(row -> row.text("script"));
    }
}
