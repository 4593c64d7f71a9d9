package dev.inboxd.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.backup.OperatorShell.Reply;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.blob.S3Server;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.copy.DatabaseCopy;
import dev.inboxd.base.database.copy.Snapshot;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.cli.doctor.Doctor;
import dev.inboxd.config.SettingValues;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a service that goes on working, and what is restored from them. */
@Proves("P21")
class BackupHttpTest {
    private static final String OTHER_KEY = "the-master-key-of-another-place-long-enough-for-it";

    @RegisterExtension
    private static final World world = World.start();

    private static MailTraffic traffic;
    private static OperatorShell shell;

    @TempDir
    private Path folder;

    /** What a restore made. */
    private record Restored(Database.Location location, Path blobs, Path data, Reply reply) {}

    @BeforeAll
    static void start() {
        traffic = new MailTraffic(world, world.inbox("kept"));
        for (int i = 0; i < 5; i++) {
            traffic.receive(1_000 + i);
            traffic.receive(400_000 + i);
        }
        shell = new OperatorShell(
                List.of("--data-dir", world.folder().toString(), "--database-url", world.databaseUrl(), "--json"));
    }

    @AfterAll
    static void stop() {
        traffic.close();
    }

    @Test
    void aBackupUnderLoadIsOneMomentWithEveryBlob() throws Exception {
        List<Future<?>> running;
        Reply made;
        int[] before;
        MailTraffic busy = new MailTraffic(world, world.inbox("busy"));
        try (busy) {
            running = busy.start();
            Eventually.await(() -> busy.received.get() > 8 && busy.sent.get() > 8 && busy.deleted.get() > 1);
            before = new int[] {busy.received.get(), busy.sent.get(), busy.deleted.get()};
            made = shell.run("backup", "--to", place());
            assertThat(made.status()).as(made.err()).isZero();
            Eventually.await(() ->
                    busy.received.get() > before[0] && busy.sent.get() > before[1] && busy.deleted.get() > before[2]);
            busy.stop(running);
        }
        Restored restored = restore("--source-key-file", key());
        assertThat(restored.reply.number("rows")).isEqualTo(made.number("rows"));
        assertThat(missingBlobs(restored)).isEmpty();
        assertThat(rows(
                        restored,
                        "select m.name from message m where not exists (select from message_content c"
                                + " where c.organization_id = m.organization_id and c.message_id = m.message_id)"))
                .isEmpty();
        assertThat(rows(
                        restored,
                        "select e.seq::text as name from event e join organization_clock k"
                                + " using (organization_id) where e.seq > k.event_seq"))
                .isEmpty();
        assertThat(rows(
                        restored,
                        "select t.thread_id::text as name from thread t where t.message_count <> (select"
                                + " count(*) from message m where m.organization_id = t.organization_id"
                                + " and m.thread_id = t.thread_id)"))
                .isEmpty();
    }

    @Test
    void whatIsRestoredDiffersFromTheOriginalInWhatIsOfOnePlaceAlone() {
        World resting = backedUpAtRest();
        Restored restored = restore("--source-key-file", key(resting));
        assertThat(differences(resting, restored, new Vault(List.of(keyText(resting)))))
                .hasSize(1)
                .allMatch(sentence -> sentence.contains(" installation "));
        assertThat(Blobs.at(restored.blobs.toString()).storeId()).isPresent();
        assertThat(restored.data.resolve("secret.key")).hasContent(keyText(resting));
        assertThat(new OperatorShell(List.of(
                                "--data-dir",
                                restored.data.toString(),
                                "--database-url",
                                TestPostgres.setting(restored.location),
                                "--json"))
                        .run("queue", "status")
                        .text("reason"))
                .isEqualTo("restore");
    }

    @Test
    void aReplacementIsNotHeldAndTheDoctorLooksForItsBlobs() throws IOException {
        assertThat(shell.run("backup", "--to", place()).status()).isZero();
        Restored restored = restore("--replace", "--source-key-file", key());
        assertThat(doctor(restored)).contains("ok    blobs: all ");
        Path lost = largest(restored.blobs);
        Files.delete(lost);
        assertThat(doctor(restored))
                .contains("FAIL  blobs: 1 of the ")
                .contains(lost.getFileName().toString());
        assertThat(rows(restored, "select coalesce(i.held_for, 'free') as name from installation i"))
                .containsExactly("free");
    }

    @Test
    void aSecondBackupWritesWhatChanged() {
        Reply first = shell.run("backup", "--to", place());
        long stored = size(folder.resolve("backups"));
        assertThat(stored).isGreaterThan(2_000_000).isGreaterThan(first.number("bytes_written"));
        traffic.receive(3_000);
        Reply second = shell.run("backup", "--to", place());
        assertThat(second.number("new_blobs")).isZero();
        assertThat(second.number("blobs")).isEqualTo(first.number("blobs")).isGreaterThan(4);
        assertThat(second.number("bytes_written")).isLessThan(first.number("bytes_written") / 4);
        assertThat(size(folder.resolve("backups")) - stored).isLessThan(first.number("bytes_written") / 4);
    }

    /** Between the moment of the rows and the copy of the blobs: without the lease the blob would be gone. */
    @Test
    void aBlobThatIsDeletedMeanwhileIsInTheBackupAndGoesLater() {
        traffic.receive(500_000);
        List<String> paths = blobPaths();
        AtomicReference<Integer> deletions = new AtomicReference<>(0);
        try (BackupStore store = BackupStore.at(place());
                Blobs blobs = Blobs.at(world.folder().resolve("blobs").toString())) {
            BackupRun.Outcome done = new BackupRun(
                            new BackupRun.Origin(world.database(), blobs, "test", List.of(), Optional.empty()),
                            store,
                            said -> {
                                if (said.startsWith("rows: webhook") && deletions.get() == 0) {
                                    deletions.set(traffic.deleteOne() ? 1 : 0);
                                }
                            },
                            _ -> {})
                    .run(0);
            assertThat(deletions.get()).isEqualTo(1);
            assertThat(done.manifest().missingBlobs()).isEmpty();
            assertThat(blobPaths()).isEqualTo(paths);
        }
        world.sweepAfter(Duration.ofHours(13));
        assertThat(blobPaths().size()).isLessThan(paths.size());
        assertThat(missingBlobs(restore("--source-key-file", key(), "--unsealed")))
                .isEmpty();
    }

    @Test
    void anotherMasterKeyOpensWhatTheFormerSealed() throws IOException {
        World resting = backedUpAtRest();
        Path other = Files.writeString(folder.resolve("other.key"), OTHER_KEY);
        Reply refused = restoredFrom(place(), TestPostgres.database(), "--secret-key-file", other.toString());
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("--source-key-file").contains("Nothing was written");

        Restored restored = restore("--secret-key-file", other.toString(), "--source-key-file", key(resting));
        assertThat(differences(resting, restored, new Vault(List.of(OTHER_KEY, keyText(resting)))))
                .hasSize(1)
                .allMatch(sentence -> sentence.contains(" installation "));
        assertThat(differences(resting, restored, new Vault(List.of(OTHER_KEY))))
                .anyMatch(sentence -> sentence.contains(" signing_key "));
        assertThat(restored.data.resolve("secret.key")).doesNotExist();
    }

    @Test
    void aDatabaseOrStoreOfSomebodyElseIsLeftAlone() {
        assertThat(shell.run("backup", "--to", place()).status()).isZero();
        Reply taken = new OperatorShell(List.of(
                        "--data-dir",
                        folder.resolve("restored").toString(),
                        "--database-url",
                        world.databaseUrl(),
                        "--blob-url",
                        folder.resolve("restored-blobs").toUri().toString()))
                .run("restore", "--from", place(), "--source-key-file", key());
        assertThat(taken.err()).contains("not empty");

        Path store = folder.resolve("blobs-of-others");
        Blobs.at(store.toString()).writeStoreId(new UUID(1, 2));
        Reply foreign = restoredTo(store, TestPostgres.database(), "--source-key-file", key());
        assertThat(foreign.err()).contains("belongs to another installation");

        Reply original =
                restoredTo(world.folder().resolve("blobs"), TestPostgres.database(), "--source-key-file", key());
        assertThat(original.err()).contains("the one of the original").contains("--replace");
        try (World another = World.start()) {
            Reply mixed = new OperatorShell(
                            List.of("--data-dir", another.folder().toString(), "--database-url", another.databaseUrl()))
                    .run("backup", "--to", place());
            assertThat(mixed.err()).contains("of another installation");
        }
    }

    @Test
    void damageIsFoundAndNothingIsRestoredFromIt() throws IOException {
        assertThat(shell.run("backup", "--to", place()).status()).isZero();
        assertThat(shell.run("backup", "--to", place(), "--verify").number("faults"))
                .isZero();
        Path blob = largest(folder.resolve("backups/blobs"));
        Files.write(blob, new byte[] {1}, StandardOpenOption.WRITE);
        Reply found = shell.run("backup", "--to", place(), "--verify");
        assertThat(found.status()).isEqualTo(1);
        assertThat(found.err()).contains(blob.getFileName().toString());
        assertThat(restoredFrom(place(), TestPostgres.database(), "--source-key-file", key())
                        .err())
                .contains("damaged")
                .contains(blob.getFileName().toString());

        Files.delete(largest(folder.resolve("backups/rows")));
        assertThat(shell.run("backup", "--to", place(), "--verify").err()).contains("is missing");
        assertThat(restoredTo(folder.resolve("again"), TestPostgres.database(), "--source-key-file", key())
                        .err())
                .contains("is missing");
    }

    @Test
    void whatOnlyOldBackupsNamedGoesWithThem() {
        for (int i = 0; i < 3; i++) {
            traffic.receive(2_000 + i);
            Reply made = shell.run("backup", "--to", place());
            assertThat(made.status()).as(made.err()).isZero();
        }
        long before = size(folder.resolve("backups"));
        Reply last = shell.run("backup", "--to", place(), "--keep", "1");
        assertThat(size(folder.resolve("backups"))).isLessThan(before);
        String listed = shell.run("backup", "--to", place(), "--list").out();
        assertThat(listed).contains(last.text("backup_id")).containsOnlyOnce("backup_id");
        assertThat(shell.run("backup", "--to", place(), "--verify").status()).isZero();
        assertThat(missingBlobs(restore("--source-key-file", key()))).isEmpty();
    }

    @Test
    void aBucketKeepsBackupsAsAFolderDoes() throws Exception {
        try (S3Server server = S3Server.start()) {
            String bucket = server.url("backups");
            Reply made = shell.run("backup", "--to", bucket);
            assertThat(made.status()).as(made.err()).isZero();
            Reply verified = shell.run("backup", "--to", bucket, "--verify");
            assertThat(verified.status()).as(verified.err()).isZero();
            Database.Location location = TestPostgres.database();
            Path blobs = folder.resolve("from-bucket");
            Reply restored = new OperatorShell(settings(location, blobs))
                    .run("restore", "--from", bucket, "--source-key-file", key());
            assertThat(restored.status()).as(restored.err()).isZero();
            assertThat(missingBlobs(new Restored(location, blobs, folder, restored)))
                    .isEmpty();
        }
    }

    @Test
    void oneBackupRunsAtATime() throws SQLException {
        try (BackupLease lease = BackupLease.take(world.database(), _ -> {})) {
            assertThat(world.database().read(BackupLease::isHeld)).isTrue();
            try (Connection connection = connect(world.database().location());
                    Statement statement = connection.createStatement()) {
                statement.execute("update installation set backup_until = now() - interval '1 second'");
            }
            Eventually.await(() -> {
                try {
                    lease.require();
                    return false;
                } catch (BackupException lost) {
                    return true;
                }
            });
            assertThatThrownBy(lease::require).hasMessageContaining("run it again");
        }
    }

    /** Backs up an installation whose service is stopped, so that its rows can be compared afterwards. */
    private World backedUpAtRest() {
        World resting = World.start();
        try (MailTraffic mail = new MailTraffic(resting, resting.inbox("kept"))) {
            mail.receive(2_000);
            mail.receive(400_000);
        }
        resting.close();
        OperatorShell ofResting = new OperatorShell(
                List.of("--data-dir", resting.folder().toString(), "--database-url", resting.databaseUrl(), "--json"));
        Reply made = ofResting.run("backup", "--to", place());
        assertThat(made.status()).as(made.err()).isZero();
        return resting;
    }

    private String place() {
        return folder.resolve("backups").toString();
    }

    private static String key() {
        return key(world);
    }

    private static String key(World of) {
        return of.folder().resolve("secret.key").toString();
    }

    private static String keyText(World of) {
        try {
            return Files.readString(Path.of(key(of))).strip();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private Restored restore(String... more) {
        Database.Location location = TestPostgres.database();
        Reply reply = restoredFrom(place(), location, more);
        assertThat(reply.status()).as(reply.err()).isZero();
        return new Restored(location, folder.resolve("restored-blobs"), folder.resolve("restored"), reply);
    }

    private Reply restoredFrom(String place, Database.Location location, String... more) {
        List<String> arguments = new ArrayList<>(List.of("restore", "--from", place));
        arguments.addAll(List.of(more));
        return new OperatorShell(settings(location, folder.resolve("restored-blobs")))
                .run(arguments.toArray(String[]::new));
    }

    private Reply restoredTo(Path blobs, Database.Location location, String... more) {
        List<String> arguments = new ArrayList<>(List.of("restore", "--from", place()));
        arguments.addAll(List.of(more));
        return new OperatorShell(settings(location, blobs)).run(arguments.toArray(String[]::new));
    }

    private List<String> settings(Database.Location location, Path blobs) {
        return List.of(
                "--data-dir",
                folder.resolve("restored").toString(),
                "--database-url",
                TestPostgres.setting(location),
                "--blob-url",
                blobs.toUri().toString(),
                "--json");
    }

    private static List<String> differences(World original, Restored restored, Vault vault) {
        try (Snapshot one = Snapshot.of(original.database().location());
                Snapshot other = Snapshot.of(restored.location)) {
            return DatabaseCopy.differences(one, other, vault);
        }
    }

    private static String doctor(Restored restored) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        SettingValues values = new SettingValues(
                Map.of(),
                Map.of(
                        "--data-dir",
                        restored.data.toString(),
                        "--database-url",
                        TestPostgres.setting(restored.location),
                        "--blob-url",
                        restored.blobs.toUri().toString()));
        Doctor.examine(values, new PrintStream(said, true, StandardCharsets.UTF_8), true);
        return said.toString(StandardCharsets.UTF_8);
    }

    private static List<String> missingBlobs(Restored restored) {
        List<String> missing = new ArrayList<>();
        int[] all = {0};
        try (Snapshot snapshot = Snapshot.of(restored.location);
                Blobs blobs = Blobs.at(restored.blobs.toString())) {
            snapshot.blobs((organization, name) -> {
                all[0]++;
                BlobKey key = new BlobKey(organization, name);
                if (blobs.size(key).isEmpty()) {
                    missing.add(key.path());
                }
            });
        }
        assertThat(all[0]).isGreaterThan(4);
        return missing;
    }

    /** The first column of a query that is not the program's. */
    private static List<String> rows(Restored restored, String sql) {
        try (Connection connection = connect(restored.location);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (found.next()) {
                rows.add(found.getString(1));
            }
            return rows;
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    private static Connection connect(Database.Location location) throws SQLException {
        return DriverManager.getConnection(location.url(), location.user(), location.password());
    }

    private static List<String> blobPaths() {
        List<String> paths = new ArrayList<>();
        try (Blobs blobs = Blobs.at(world.folder().resolve("blobs").toString())) {
            blobs.walk(blob -> paths.add(blob.key().path()));
        }
        paths.sort(null);
        return paths;
    }

    private static long size(Path place) {
        try (Stream<Path> files = Files.walk(place)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private static Path largest(Path place) throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            return files.filter(Files::isRegularFile)
                    .max((one, other) ->
                            Long.compare(one.toFile().length(), other.toFile().length()))
                    .orElseThrow();
        }
    }
}
