package dev.inboxd.base.database.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmbeddedPostgresDbTest {
    @TempDir
    Path data;

    @Test
    void rowsAreStillThereAfterARestart() throws SQLException {
        try (var postgres = start()) {
            Queries.run(postgres, "create table letter (text text)", "insert into letter values ('kept')");
        }
        try (var postgres = start()) {
            assertThat(Queries.ask(postgres, "select text from letter")).isEqualTo("kept");
        }
    }

    @Test
    void thePortStaysTheSameAcrossRestarts() {
        String first;
        try (var postgres = start()) {
            first = postgres.jdbcUrl();
        }
        try (var postgres = start()) {
            assertThat(postgres.jdbcUrl()).isEqualTo(first);
        }
    }

    @Test
    void whoMayReadTheFolderFindsTheServerThatRunsOnIt() throws SQLException {
        assertThat(EmbeddedPostgres.running(data)).isEmpty();
        try (var postgres = start()) {
            EmbeddedPostgres.RunningServer found =
                    EmbeddedPostgres.running(data).orElseThrow();
            assertThat(found.toString()).doesNotContain(postgres.password());
            try (var connection = Queries.connect(found.jdbcUrl(), found.user(), found.password())) {
                assertThat(connection.isValid(5)).isTrue();
            }
        }
        assertThat(EmbeddedPostgres.running(data))
                .as("the folder is free again")
                .isEmpty();
    }

    @Test
    @Tag("long")
    void onlyTheOwnerCanReadTheDataFolder() throws IOException {
        Path made = data.resolve("made");
        EmbeddedPostgres.start(made, TestServers.PROGRAMS).close();
        assertThat(permissions(made)).isEqualTo("rwx------");
        assertThat(permissions(made.resolve("postgres-18"))).isEqualTo("rwx------");
        assertThat(permissions(made.resolve("postgres.password"))).isEqualTo("rw-------");
        assertThat(permissions(made.resolve("postgres.log"))).isEqualTo("rw-------");
    }

    @ParameterizedTest
    @CsvSource({
        "fsync, on",
        "full_page_writes, on",
        "synchronous_commit, on",
        "data_checksums, on",
        "listen_addresses, 127.0.0.1",
        "unix_socket_directories, ''",
        "server_version, 18.6",
        "jit, off",
    })
    void theServerRunsWithTheSettingsThatMatter(String setting, String value) throws SQLException {
        assertThat(Queries.ask(TestServers.shared(), "select current_setting('" + setting + "')"))
                .isEqualTo(value);
    }

    @Test
    void lettersBeyondAsciiAreLettersToSearchAndToLower() throws SQLException {
        assertThat(Queries.ask(TestServers.shared(), "select lower('ÄÖÉ')")).isEqualTo("äöé");
        assertThat(Queries.ask(TestServers.shared(), "select to_tsvector('simple', 'café—crème')::text"))
                .isEqualTo("'café':1 'crème':2");
    }

    @Test
    void theServiceIsNoSuperuserButOwnsItsDatabase() throws SQLException {
        var postgres = TestServers.shared();
        assertThat(Queries.ask(postgres, "select rolsuper from pg_roles where rolname = current_user"))
                .isEqualTo("f");
        Queries.run(postgres, "create extension if not exists pg_trgm", "create extension if not exists btree_gin");
    }

    @Test
    void aWrongPasswordIsRefused() {
        assertThatThrownBy(() -> Queries.connect(TestServers.shared().jdbcUrl(), "inboxd", "guess")
                        .close())
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("password authentication failed");
    }

    @Test
    @Proves("P1")
    void aServerKilledUnderAnOpenConnectionIsStartedAgainWithEveryCommittedRow() throws Exception {
        try (var postgres = start()) {
            CountDownLatch restarted = new CountDownLatch(1);
            postgres.onRestart(restarted::countDown);
            Queries.run(postgres, "create table letter (text text)");
            long killed = postgres.processId();
            try (Connection open = Queries.connect(postgres)) {
                Queries.run(open, "insert into letter values ('kept')");
                assertThat(ProcessHandle.of(killed).orElseThrow().destroyForcibly())
                        .isTrue();
                assertThat(restarted.await(60, TimeUnit.SECONDS)).isTrue();
                assertThatThrownBy(() -> Queries.run(open, "select 1")).isInstanceOf(SQLException.class);
            }
            assertThat(postgres.processId()).isNotEqualTo(killed);
            assertThat(Queries.ask(postgres, "select text from letter")).isEqualTo("kept");
        }
    }

    @Test
    void aBackendBusyWithAStatementDoesNotKeepTheServerFromComingBack() throws Exception {
        try (var postgres = start();
                Connection busy = Queries.connect(postgres)) {
            CountDownLatch restarted = new CountDownLatch(1);
            postgres.onRestart(restarted::countDown);
            long backend = Long.parseLong(Queries.ask(busy, "select pg_backend_pid()"));
            Thread client = Thread.startVirtualThread(() -> assertThatThrownBy(
                    () -> Queries.ask(busy, "select count(*) from generate_series(1, 1000000000000)")));
            awaitActive(postgres, backend);
            kill(postgres.processId());
            assertThat(restarted.await(60, TimeUnit.SECONDS)).isTrue();
            client.join();
        }
    }

    @Test
    @Tag("long")
    void aServerThatKeepsDyingIsGivenUpWithAClearError() throws Exception {
        try (var postgres = start()) {
            postgres.onRestart(() -> kill(postgres.processId()));
            kill(postgres.processId());
            assertThat(postgres.failure().get(120, TimeUnit.SECONDS)).hasMessageContaining("given up");
        }
    }

    @Test
    void theServerIsGoneAfterClose() {
        var postgres = start();
        long server = postgres.processId();
        postgres.close();
        assertThat(ProcessHandle.of(server)).isEmpty();
    }

    @Test
    void aSecondServerOnTheSameFolderIsRefused() {
        var first = start();
        try (first) {
            assertThatThrownBy(this::start)
                    .isInstanceOf(EmbeddedPostgresException.class)
                    .hasMessageContaining("Another inboxd")
                    .hasMessageContaining(data.toString());
        }
    }

    @Test
    void aFolderOfAnotherMajorVersionIsRefused() throws IOException {
        Files.createDirectories(data.resolve("postgres-17"));
        Files.writeString(data.resolve("postgres-17").resolve("PG_VERSION"), "17\n");
        assertThatThrownBy(() -> EmbeddedPostgres.start(data, TestServers.PROGRAMS))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining("PostgreSQL 17")
                .hasMessageContaining("use the inboxd that wrote it");
    }

    @Test
    @Tag("long")
    void aClusterLeftHalfMadeIsMadeAgain() throws Exception {
        Files.createDirectories(data.resolve("postgres-18.new").resolve("base"));
        try (var postgres = EmbeddedPostgres.start(data, TestServers.PROGRAMS)) {
            assertThat(Queries.ask(postgres, "select current_database()")).isEqualTo("inboxd");
        }
        assertThat(data.resolve("postgres-18.new")).doesNotExist();
    }

    @Test
    void aLockFileNamingAStrangersProcessDoesNotKeepTheServerFromStarting() throws Exception {
        start().close();
        Files.writeString(data.resolve("postgres-18").resolve("postmaster.pid"), "1\n/elsewhere\n");
        try (var postgres = start()) {
            assertThat(Queries.ask(postgres, "select 1")).isEqualTo("1");
        }
    }

    @Test
    @Tag("long")
    void aBrokenClusterIsReportedWithTheServersOwnWords() throws Exception {
        start().close();
        Files.delete(data.resolve("postgres-18").resolve("global").resolve("pg_control"));
        assertThatThrownBy(this::start)
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining("pg_control");
    }

    @Test
    void aLogThatGrewTooLargeIsSetAside() throws IOException {
        start().close();
        Files.writeString(data.resolve("postgres.log"), "x".repeat(11 * 1024 * 1024));
        start().close();
        assertThat(data.resolve("postgres.log"))
                .satisfies(log -> assertThat(Files.size(log)).isLessThan(100_000));
        assertThat(data.resolve("postgres.log.1")).exists();
    }

    /** On a copy of a folder made before: faster than a first start, and the proof that a cold copy is a backup. */
    private EmbeddedPostgres start() {
        TestServers.fill(data);
        return EmbeddedPostgres.start(data, TestServers.PROGRAMS);
    }

    private static void awaitActive(EmbeddedPostgres postgres, long backend) {
        String active = "select count(*) from pg_stat_activity where state = 'active' and pid = " + backend;
        Eventually.await(() -> ask(postgres, active).equals("1"));
    }

    private static String ask(EmbeddedPostgres postgres, String sql) {
        try {
            return Queries.ask(postgres, sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void kill(long processId) {
        ProcessHandle.of(processId).orElseThrow().destroyForcibly();
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
