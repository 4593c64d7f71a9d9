package dev.inboxd.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.backup.OperatorShell.Reply;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.blob.ForwardingBlobs;
import dev.inboxd.base.blob.S3Server;
import dev.inboxd.base.blob.StoredBlob;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.copy.RowChunk;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import dev.inboxd.testing.TestSize;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is damaged in a place of backups does not count as there: the next backup writes it again. */
@Proves("P21")
class BackupDamageHttpTest {
    private static World world;
    private static OperatorShell shell;
    private static S3Server server;
    private static int buckets;

    @TempDir
    private Path folder;

    private String place = "";

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.start();
        world = World.start();
        MailTraffic traffic = new MailTraffic(world, world.inbox("kept"));
        try (traffic) {
            for (int i = 0; i < 3; i++) {
                traffic.receive(1_000 + i);
                traffic.receive(400_000 + i);
            }
        }
        // The rows stand still, so that every backup has the same chunks.
        world.close();
        shell = new OperatorShell(
                List.of("--data-dir", world.folder().toString(), "--database-url", world.databaseUrl(), "--json"));
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    /** A folder, and in the long form a bucket too; one test has both in either form. */
    static List<String> kinds() {
        return TestSize.isWhole() ? List.of("folder", "bucket") : List.of("folder");
    }

    private void choose(String kind) {
        place = kind.equals("bucket")
                ? server.url("damage" + buckets++)
                : folder.resolve("backups").toString();
        assertThat(backup().status()).isZero();
    }

    private Reply backup(String... more) {
        List<String> arguments = new ArrayList<>(List.of("backup", "--to", place));
        arguments.addAll(List.of(more));
        return shell.run(arguments.toArray(String[]::new));
    }

    private Blobs store(String name) {
        int query = place.startsWith("s3:") ? place.indexOf('?') : -1;
        return Blobs.at(
                query < 0 ? place + "/" + name : place.substring(0, query) + "/" + name + place.substring(query));
    }

    /** Changes what lies under a key; to nothing: it is gone. */
    private void change(String name, BlobKey key, UnaryOperator<byte[]> change) {
        try (Blobs blobs = store(name)) {
            byte[] content;
            try (InputStream in = blobs.open(key)) {
                content = change.apply(in.readAllBytes());
            } catch (IOException unreadable) {
                throw new AssertionError(unreadable);
            }
            blobs.delete(key);
            if (content.length > 0) {
                blobs.put(key, new ByteArrayInputStream(content), content.length);
            }
        }
    }

    private List<StoredBlob> listed(String name) {
        List<StoredBlob> all = new ArrayList<>();
        try (Blobs blobs = store(name)) {
            blobs.walk(all::add);
        }
        all.sort(Comparator.comparingLong(StoredBlob::bytes));
        return all;
    }

    private BlobKey largest(String name) {
        return listed(name).getLast().key();
    }

    private static byte[] flipped(byte[] content) {
        byte[] changed = content.clone();
        changed[changed.length / 2] ^= 1;
        return changed;
    }

    private static byte[] half(byte[] content) {
        return Arrays.copyOf(content, content.length / 2);
    }

    private static byte[] nothing(byte[] content) {
        return new byte[0];
    }

    private void assertWhole() {
        Reply verified = backup("--verify");
        assertThat(verified.status()).as(verified.err()).isZero();
        assertThat(verified.err()).isEmpty();
        assertThat(restored().status()).isZero();
    }

    private Reply restored(String... more) {
        Database.Location location = TestPostgres.database();
        Path there = folder.resolve(location.url().replaceAll("\\W", ""));
        List<String> arguments = new ArrayList<>(List.of("restore", "--from", place));
        arguments.addAll(List.of(
                "--source-key-file", world.folder().resolve("secret.key").toString()));
        arguments.addAll(List.of(more));
        return new OperatorShell(List.of(
                        "--data-dir",
                        there.toString(),
                        "--database-url",
                        TestPostgres.setting(location),
                        "--blob-url",
                        there.resolve("blobs").toUri().toString(),
                        "--json"))
                .run(arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whatVerifyFindsDamagedTheNextBackupWritesAgain(String kind) {
        choose(kind);
        BlobKey rows = largest("rows");
        BlobKey blob = largest("blobs");
        change("rows", rows, BackupDamageHttpTest::flipped);
        change("blobs", blob, BackupDamageHttpTest::flipped);
        Reply found = backup("--verify");
        assertThat(found.status()).isEqualTo(1);
        assertThat(found.number("faults")).isEqualTo(2);
        assertThat(found.err())
                .contains(rows.name(), blob.name(), "the next backup writes it again", "No backup there is good");
        assertThat(listed("damaged")).extracting(StoredBlob::key).containsExactlyInAnyOrder(rows, blob);

        Reply next = backup();
        assertThat(next.status()).as(next.err()).isZero();
        // Now and then one more differs; which one, and why, is not known.
        assertThat(next.number("new_chunks")).isBetween(1L + changedSince(), 2L + changedSince());
        assertThat(next.number("new_blobs")).isEqualTo(1);
        assertWhole();
        assertThat(backup("--keep", "1").status()).isZero();
        assertThat(listed("damaged")).isEmpty();
    }

    /** The lease of a backup is in the row of the installation. */
    private static int changedSince() {
        return 1;
    }

    @ParameterizedTest
    @ValueSource(strings = {"folder", "bucket"})
    void whatIsCutOrMissingTheNextBackupFindsByItself(String kind) {
        choose(kind);
        BlobKey cut = largest("rows");
        change("rows", cut, BackupDamageHttpTest::half);
        change("blobs", largest("blobs"), BackupDamageHttpTest::half);
        Reply healed = backup();
        assertThat(healed.status()).as(healed.err()).isZero();
        assertThat(healed.number("faults")).isEqualTo(2);
        assertThat(healed.err()).contains(cut.name()).contains("was written with");
        assertWhole();

        change("rows", cut, BackupDamageHttpTest::nothing);
        change("blobs", largest("blobs"), BackupDamageHttpTest::nothing);
        assertThat(backup().status()).isZero();
        assertWhole();
    }

    /** A full disk or a power loss leaves files of no octets; what was written instead stays. */
    @ParameterizedTest
    @MethodSource("kinds")
    void whatWasCutToNoOctetsIsWrittenAgainAndStays(String kind) {
        choose(kind);
        BlobKey blob = largest("blobs");
        try (Blobs blobs = store("blobs")) {
            blobs.delete(blob);
            blobs.put(blob, new ByteArrayInputStream(new byte[0]), 0);
        }
        assertThat(backup().number("new_blobs")).isOne();
        assertThat(listed("damaged")).isEmpty();
        assertThat(backup().number("new_blobs")).isZero();
        assertThat(largest("blobs")).isEqualTo(blob);
        assertWhole();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aDamagedManifestHidesNoOtherBackup(String kind) {
        choose(kind);
        BlobKey good = newest();
        assertThat(backup().status()).isZero();
        BlobKey bad = newest();
        change("manifests", bad, BackupDamageHttpTest::half);
        assertThat(backup("--list").err()).contains(bad.name());
        assertThat(backup("--list").out()).contains(good.name());
        Reply found = backup("--verify");
        assertThat(found.status()).isEqualTo(1);
        assertThat(found.err()).contains(bad.name(), "The last good backup is " + good.name());
        assertThat(found.text("last_good")).isEqualTo(good.name());
        assertThat(restored().err()).contains(bad.name()).contains("--verify names the last good one");
        assertThat(restored("--id", good.name()).status()).isZero();

        Reply next = backup("--keep", "2");
        assertThat(next.status()).as(next.err()).isZero();
        assertThat(listed("manifests"))
                .extracting(StoredBlob::key)
                .contains(good)
                .doesNotContain(bad);
        assertWhole();
    }

    private BlobKey newest() {
        return listed("manifests").stream()
                .map(StoredBlob::key)
                .max(Comparator.comparing(BlobKey::name))
                .orElseThrow();
    }

    @Test
    void aManifestThatSomebodyChangedIsRefused() {
        choose("folder");
        change(
                "manifests",
                newest(),
                content -> text(content).replace("\"rows\":", "\"rows\": ").getBytes(StandardCharsets.UTF_8));
        Reply found = backup("--verify");
        assertThat(found.status()).isEqualTo(1);
        assertThat(found.err()).contains("The seal of the backup").contains("somebody changed");
        assertThat(restored().err()).contains("somebody changed");
    }

    /** Who can write to the place can remove a seal, so that a backup looks like one of an earlier version. */
    @Test
    void aBackupWithoutASealIsRefusedUnlessItIsAskedFor() {
        choose("folder");
        removeSeal(newest());
        Reply found = backup("--verify");
        assertThat(found.status()).isEqualTo(1);
        assertThat(found.err()).contains("has no seal").contains("--unsealed takes it all the same");
        assertThat(backup("--verify", "--unsealed").status()).isZero();
        assertThat(backup("--verify", "--unsealed").err()).contains("has no seal");
        assertThat(backup("--verify", "--unsealed", "--require-seal").err()).contains("leave out one of them");
        Reply refused = restored();
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("has no seal", "--unsealed", "Nothing was written");
        Reply taken = restored("--unsealed");
        assertThat(taken.status()).as(taken.err()).isZero();
        assertThat(taken.err()).contains("has no seal");

        Reply next = backup();
        assertThat(next.status()).isZero();
        assertThat(next.err()).contains("has no seal", "nothing that it says is relied upon");
        assertWhole();
    }

    @Test
    void whereNoMasterKeyIsASealThatIsMissingBesideOthersIsNoticed() {
        choose("folder");
        OperatorShell elsewhere = new OperatorShell(
                List.of("--data-dir", folder.resolve("elsewhere").toString(), "--json"));
        Reply unchecked = elsewhere.run("backup", "--to", place, "--verify");
        assertThat(unchecked.status()).isZero();
        assertThat(unchecked.err()).contains("The seal was not checked");
        assertThat(elsewhere
                        .run("backup", "--to", place, "--verify", "--require-seal")
                        .err())
                .contains("The seal was not checked");
        backup();
        removeSeal(newest());
        Reply removed = elsewhere.run("backup", "--to", place, "--verify");
        assertThat(removed.status()).isEqualTo(1);
        assertThat(removed.err()).contains("has no seal, which other backups of the place have");
        assertThat(elsewhere
                        .run("backup", "--to", place, "--verify", "--unsealed")
                        .status())
                .isZero();
    }

    private void removeSeal(BlobKey backup) {
        change(
                "manifests",
                backup,
                content -> text(content).replaceFirst("\"seal\":\"\\w+\",", "").getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whatSeveralBackupsShareIsReadOnceAndThoseThatNameItAreTold(String kind) {
        choose(kind);
        for (int i = 0; i < 3; i++) {
            assertThat(backup().status()).isZero();
        }
        List<String> ids = listed("manifests").stream()
                .map(stored -> stored.key().name())
                .sorted(Comparator.reverseOrder())
                .toList();
        BlobKey rows = largest("rows");
        BlobKey blob = largest("blobs");
        change("rows", rows, BackupDamageHttpTest::flipped);
        change("blobs", blob, BackupDamageHttpTest::flipped);
        Map<BlobKey, Integer> reads = new ConcurrentHashMap<>();
        PlaceCheck.Verdict found;
        try (BackupStore counted = new BackupStore(
                counted("rows", reads), counted("blobs", reads), store("manifests"), store("damaged"))) {
            found = new PlaceCheck(counted, Optional.empty(), _ -> {}).run("", SealRule.USUAL);
        }
        assertThat(found.faults()).isEqualTo(2);
        assertThat(found.lastGood()).isNull();
        assertThat(found.damaged()).isEqualTo(ids.subList(1, 4));
        assertThat(found.sentences())
                .filteredOn(sentence -> sentence.startsWith("What is damaged in "))
                .hasSize(2)
                .allMatch(sentence -> ids.subList(1, 4).stream().allMatch(sentence::contains));
        // Lists are read a second time, many tables share the chunk of no rows, and what is damaged is copied.
        reads.remove(BackupStore.rowKey(RowChunk.sha256(new byte[0])));
        try (BackupStore store = BackupStore.at(place)) {
            store.all().stream()
                    .map(store::manifest)
                    .flatMap(manifest -> Stream.concat(
                            manifest.tables().stream().flatMap(table -> table.pages().stream()),
                            manifest.blobs().pages().stream()))
                    .forEach(page -> reads.remove(BackupStore.rowKey(page)));
        }
        assertThat(reads).hasSizeGreaterThan(20).containsEntry(rows, 2).containsEntry(blob, 2);
        reads.keySet().removeAll(List.of(rows, blob));
        assertThat(reads.values()).containsOnly(1);
    }

    @Test
    void aBackupThatIsGoodBesideADamagedOneIsNamedWithoutReadingWhatTheyShare() {
        choose("folder");
        String good = newest().name();
        Set<BlobKey> before =
                new HashSet<>(listed("rows").stream().map(StoredBlob::key).toList());
        assertThat(backup().status()).isZero();
        // What only the newest one has: the row of the installation, or its list.
        listed("rows").stream()
                .map(StoredBlob::key)
                .filter(key -> !before.contains(key))
                .forEach(key -> change("rows", key, BackupDamageHttpTest::flipped));
        Reply found = backup("--verify");
        assertThat(found.status()).isEqualTo(1);
        assertThat(found.text("last_good")).isEqualTo(good);
        assertThat(found.json().get("also_damaged")).isEqualTo(List.of());
        assertThat(found.err()).doesNotContain("What is damaged in");
    }

    private Blobs counted(String name, Map<BlobKey, Integer> reads) {
        return new ForwardingBlobs(store(name)) {
            @Override
            public InputStream open(BlobKey key) {
                reads.merge(key, 1, Integer::sum);
                return super.open(key);
            }
        };
    }

    private static String text(byte[] content) {
        return new String(content, StandardCharsets.UTF_8);
    }
}
