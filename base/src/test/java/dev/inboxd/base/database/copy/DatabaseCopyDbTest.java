package dev.inboxd.base.database.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.SchemaException;
import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database is copied into another one, whatever happens meanwhile. */
class DatabaseCopyDbTest {
    private static final UUID ORGANIZATION = UUID.fromString("0197a000-0000-7000-8000-000000000001");
    private static final String OLD_KEY = "the master key of the source, long enough";
    private static final String NEW_KEY = "the master key of the target, also long enough";
    private static final Vault OLD = new Vault(List.of(OLD_KEY));
    private static final Vault NEW = new Vault(List.of(NEW_KEY, OLD_KEY));
    private static final int MESSAGES = 2_000;

    private final Database.Location source = TestPostgres.migrated();
    private final Database.Location target = TestPostgres.database();

    @Test
    @Tag("long")
    void aCopyHasEveryRowAndASecondPassWritesWhatChanged() {
        fill();
        long first = pass("first", NEW);
        assertThat(first).isGreaterThan(10L << 20);
        assertThat(differences()).isEmpty();

        assertThat(pass("first", NEW)).as("only what is sealed").isLessThan(2_000);

        execute(source, "update message_content set header_size = 7 where message_id = '" + id(1_234) + "'");
        execute(source, "delete from message_content where message_id = '" + id(1_900) + "'");
        execute(source, "delete from redelivery");
        execute(source, "insert into redelivery values ('" + ORGANIZATION + "', '\\x00ff', now())");
        assertThat(differences()).hasSize(2);
        assertThat(pass("first", NEW)).isLessThan(first / 2);
        assertThat(differences()).isEmpty();
    }

    @Test
    @Tag("long")
    void whatAnotherCopyLeftIsFinishedByTheSameOneOnly() {
        fill();
        int[] chunks = {0};
        assertThatThrownBy(() -> copy("first", NEW, (_, _, _, _) -> {
                    if (++chunks[0] == 12) {
                        throw new IllegalStateException("killed");
                    }
                }))
                .hasMessage("killed");
        assertThatThrownBy(() -> Migrations.run(target))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("has not come to its end");
        assertThatThrownBy(() -> pass("second", NEW))
                .isInstanceOf(CopyException.class)
                .hasMessageContaining("first");
        pass("first", NEW);
        assertThat(differences()).isEmpty();
        complete("first");
        Migrations.run(target);
        assertThatThrownBy(() -> pass("first", NEW))
                .isInstanceOf(CopyException.class)
                .hasMessageContaining("not empty");
    }

    @Test
    @Tag("long")
    void secretsAreSealedAnewForTheTarget() {
        fill();
        pass("first", NEW);
        byte[] copied = bytes(target, "select secret from webhook");
        assertThat(new String(new Vault(List.of(NEW_KEY)).open("webhook secret", copied), StandardCharsets.UTF_8))
                .isEqualTo("whsec_of_the_source");
        assertThat(copied).isNotEqualTo(bytes(source, "select secret from webhook"));
        assertThat(differences()).isEmpty();
    }

    @Test
    @Tag("long")
    void theSameKeyLeavesTheSameBytes() {
        fill();
        pass("first", OLD);
        assertThat(bytes(target, "select secret from webhook")).isEqualTo(bytes(source, "select secret from webhook"));
        assertThat(pass("first", OLD)).isZero();
    }

    @Test
    void aSnapshotIsOneMoment() {
        fill();
        try (Snapshot before = Snapshot.of(source)) {
            TableLayout redelivery = table(before, "redelivery");
            execute(source, "delete from redelivery");
            assertThat(before.digest(redelivery, OLD).rows()).isEqualTo(3);
        }
        try (Snapshot after = Snapshot.of(source)) {
            assertThat(after.digest(table(after, "redelivery"), OLD).rows()).isZero();
        }
    }

    @Test
    void aLaterSnapshotHasTheSameChunksButWhereRowsChanged() {
        fill();
        Set<String> before = chunks();
        // Among the first rows: cuts by a count or a size would move all that follow.
        execute(source, "delete from message_content where message_id = '" + id(5) + "'");
        insert(MESSAGES + 1);
        Set<String> after = chunks();
        Set<String> same = new HashSet<>(before);
        same.retainAll(after);
        assertThat(before.size()).isGreaterThan(6);
        assertThat(after.size() - same.size()).isLessThanOrEqualTo(3);
    }

    @Test
    void tablesOfTheFormerMigrationsAreCopiedAsThoseOfThisProgram() throws IOException {
        List<String> history = history(source);
        execute(source, "insert into redelivery values ('" + ORGANIZATION + "', '\\x01', now())");
        List<String> former =
                new ArrayList<>(Files.readAllLines(Path.of("base/src/test/resources/former-migrations.txt")));
        former.addAll(history.subList(1, history.size()));
        try (Snapshot snapshot = Snapshot.of(source);
                CopyTarget written = CopyTarget.begin(target, "former", former)) {
            new DatabaseCopy(snapshot, written, OLD).run((_, _, _, _) -> {});
            written.migrate();
            written.complete();
        }
        assertThat(history(target)).isEqualTo(history);
        assertThat(count(target, "redelivery")).isEqualTo(1);
    }

    @Test
    void aLaterVersionAndAnotherRevisionAreRefusedBeforeAnythingIsWritten() {
        List<String> later = new ArrayList<>(history(source));
        later.add("V9999__later.sql 17");
        assertThatThrownBy(() -> CopyTarget.begin(target, "later", later))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("V9999__later.sql");
        assertThatThrownBy(() -> CopyTarget.begin(target, "other", List.of("V0001__schema.sql 3")))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("another revision");
        assertThat(CopyTarget.begun(target)).isEmpty();
    }

    @Test
    void keysOfEveryKindAreReadAndBound() {
        execute(
                source,
                "insert into send_memory values ('" + ORGANIZATION
                        + "', 'it''s \\ \"x\" é', '\\x00', 1, null, 'a', null, now(), now())");
        execute(
                source,
                "insert into calendar_override values ('" + ORGANIZATION + "', '" + id(1)
                        + "', 'slot', true, '" + id(2) + "', '" + id(3)
                        + "', '{\"a\": [1.50, null]}', false, 1, null, 'op',"
                        + " now(), now())");
        execute(source, "insert into send_count values ('" + ORGANIZATION + "', '1987-02-03', 4)");
        execute(
                source,
                "insert into metric_total values ('" + ORGANIZATION + "', '" + id(1)
                        + "', '1999-12-31 23:59:00.123456+00', '{1,2,null}')");
        execute(
                source,
                "insert into event (organization_id, seq, at, type, labels) values ('" + ORGANIZATION
                        + "', -7, now(), 'x', '{\"a,b\",\"\"}')");
        pass("first", OLD);
        assertThat(differences()).isEmpty();
        try (Snapshot snapshot = Snapshot.of(source)) {
            for (String table : List.of("send_memory", "calendar_override", "send_count", "metric_total", "event")) {
                AtomicReference<@Nullable RowKey> key = new AtomicReference<>();
                snapshot.read(table(snapshot, table), chunk -> key.set(chunk.last()));
                KeyRange upTo = new KeyRange(null, key.get());
                KeyRange after = new KeyRange(key.get(), null);
                assertThat(count(source, table(snapshot, table).asking(upTo)))
                        .as(table)
                        .isEqualTo(1);
                assertThat(count(source, table(snapshot, table).asking(after)))
                        .as(table)
                        .isZero();
            }
        }
    }

    private long pass(String name, Vault vault) {
        return copy(name, vault, (_, _, _, _) -> {});
    }

    private long copy(String name, Vault vault, DatabaseCopy.Progress progress) {
        try (Snapshot snapshot = Snapshot.of(source);
                CopyTarget written = CopyTarget.begin(target, name, snapshot.migrations())) {
            return new DatabaseCopy(snapshot, written, vault).run(progress);
        }
    }

    private void complete(String name) {
        try (CopyTarget written = CopyTarget.begin(target, name, history(source))) {
            written.migrate();
            written.complete();
        }
    }

    private List<String> differences() {
        try (Snapshot one = Snapshot.of(source);
                Snapshot other = Snapshot.of(target)) {
            return DatabaseCopy.differences(one, other, NEW);
        }
    }

    private Set<String> chunks() {
        Set<String> digests = new HashSet<>();
        try (Snapshot snapshot = Snapshot.of(source)) {
            snapshot.read(table(snapshot, "message_content"), chunk -> digests.add(chunk.sha256()));
        }
        return digests;
    }

    private static TableLayout table(Snapshot snapshot, String name) {
        return snapshot.tables().stream()
                .filter(table -> table.table().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> history(Database.Location location) {
        try (Connection connection = connect(location)) {
            return Migrations.history(connection);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    /** Messages of several kB that do not repeat, a webhook, and a few rows of others. */
    private void fill() {
        execute(
                source,
                "insert into message_content (organization_id, message_id, inbox_id, raw, header_size, sha256)"
                        + " select '" + ORGANIZATION
                        + "', ('0197a000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '"
                        + ORGANIZATION + "', (select string_agg(sha512((n || '-' || k)::text::bytea), ''::bytea)"
                        + " from generate_series(1, 100) k), 1, '\\x01' from generate_series(1, " + MESSAGES + ") n");
        execute(
                source,
                "insert into redelivery select '" + ORGANIZATION
                        + "', sha256(n::text::bytea), now() from generate_series(1, 3) n");
        try (Connection connection = connect(source);
                PreparedStatement insert = connection.prepareStatement("insert into webhook (organization_id,"
                        + " webhook_id, secret, enabled, event_types, created_at, updated_at)"
                        + " values (?, 'wh', ?, true, '{}', now(), now())")) {
            insert.setObject(1, ORGANIZATION);
            insert.setBytes(2, OLD.seal("webhook secret", "whsec_of_the_source".getBytes(StandardCharsets.UTF_8)));
            insert.executeUpdate();
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    private void insert(int number) {
        execute(
                source,
                "insert into message_content (organization_id, message_id, inbox_id, raw, header_size, sha256)"
                        + " values ('" + ORGANIZATION + "', '" + id(number) + "', '" + ORGANIZATION
                        + "', 'x', 1, '\\x01')");
    }

    private static UUID id(int number) {
        return UUID.fromString("0197a000-0000-7000-8000-%012x".formatted(number));
    }

    private static void execute(Database.Location location, String sql) {
        try (Connection connection = connect(location);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    private static byte[] bytes(Database.Location location, String sql) {
        try (Connection connection = connect(location);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getBytes(1);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    /** The rows of a table, or 1 for a query that answers true. */
    private static long count(Database.Location location, String what) {
        String sql = what.startsWith("select ") ? what : "select count(*) from " + what;
        try (Connection connection = connect(location);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getObject(1) instanceof Boolean yes ? (yes ? 1 : 0) : rows.getLong(1);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    private static Connection connect(Database.Location location) throws SQLException {
        return DriverManager.getConnection(location.url(), location.user(), location.password());
    }
}
