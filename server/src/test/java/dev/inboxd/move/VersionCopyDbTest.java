package dev.inboxd.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.embedded.EarlierServer;
import dev.inboxd.base.database.embedded.EmbeddedPostgres;
import dev.inboxd.base.database.embedded.EmbeddedPostgresException;
import dev.inboxd.base.database.embedded.VersionUpgrade;
import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.server.World;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A data folder of PostgreSQL 17 becomes one of 18, and a kill at any moment leaves one of both. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class VersionCopyDbTest {
    private static final int MAILS = 40;

    @TempDir(factory = ReachableFolder.class)
    private Path data;

    private static Database.Location location(EmbeddedPostgres.RunningServer server) {
        return new Database.Location(server.jdbcUrl(), server.user(), server.password(), 4);
    }

    /** A service has run on 17. */
    private String fill() {
        try (EarlierServer earlier = EarlierServer.start(data)) {
            Database.Location there = location(earlier.server());
            assertThat(version(there)).isEqualTo("17");
            Migrations.run(there);
            try (World world = World.start(Map.of(), _ -> there)) {
                String inbox = world.inbox("upgraded");
                for (int i = 0; i < MAILS; i++) {
                    assertThat(world.mail(
                                    "bob@near.test",
                                    inbox,
                                    "From: bob@near.test\nTo: " + inbox + "\nSubject: " + i + "\nMessage-ID: <" + i
                                            + "@near.test>\n\n" + "A line of some length.\n".repeat(2_000)))
                            .startsWith("250");
                }
            }
            return digest(there);
        }
    }

    private static String version(Database.Location location) {
        try (Database database = new Database(location, null)) {
            return database.read(tx -> tx.sql("select current_setting('server_version_num')::int / 10000 as version")
                    .single(row -> String.valueOf(row.integer("version"))));
        }
    }

    /** Stands for all rows of messages, in an order that is the same everywhere. */
    private static String digest(Database.Location location) {
        try (Database database = new Database(location, null)) {
            return database.read(tx -> tx.sqlAcrossTenants("""
                    select count(*) || ' '
                        || md5(string_agg(c::text, ',' order by c.organization_id, c.message_id)) as digest
                    from message_content c""").single(row -> row.text("digest")));
        }
    }

    private Process upgrade() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "--enable-native-access=ALL-UNNAMED",
                        UpgradeProcess.class.getName(),
                        data.toString())
                .redirectErrorStream(true)
                .start();
    }

    private static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Kills it as soon as it says something, or when the new cluster has a folder. */
    private void killedBehind(String words) throws Exception {
        Process process = upgrade();
        try (BufferedReader lines = output(process)) {
            String line = lines.readLine();
            while (line != null && !line.contains(words)) {
                line = lines.readLine();
            }
            assertThat(line).as("it said " + words).isNotNull();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private void requireEarlier(String digest) {
        try (EarlierServer earlier = EarlierServer.start(data)) {
            assertThat(digest(location(earlier.server()))).isEqualTo(digest);
        }
    }

    @Test
    @Tag("long")
    void itIsKilledAnywhereAndEndsWithEveryRow() throws Exception {
        String digest = fill();
        assertThatThrownBy(() -> EmbeddedPostgres.start(data))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining("inboxd serve upgrades");
        assertThat(VersionUpgrade.due(data)).isEqualTo(OptionalInt.of(17));
        killedBehind("MB on the disk");
        requireEarlier(digest);
        killedBehind("are copied");
        assertThat(VersionUpgrade.due(data)).isEqualTo(OptionalInt.of(17));
        requireEarlier(digest);

        List<String> said = new ArrayList<>();
        VersionCopy.runWhenDue(data, said::add);
        assertThat(said.getFirst()).contains("from PostgreSQL 17").contains("MB on the disk");
        assertThat(VersionUpgrade.due(data)).isEmpty();
        try (EmbeddedPostgres now = EmbeddedPostgres.start(data)) {
            Database.Location there = new Database.Location(now.jdbcUrl(), now.user(), now.password(), 4);
            assertThat(version(there)).isEqualTo("18");
            Migrations.run(there);
            assertThat(digest(there)).isEqualTo(digest);
        }

        assertThat(data.resolve("postgres-17.old")).isDirectory();
        assertThat(VersionUpgrade.dropOld(data)).hasSize(2);
        assertThat(data.resolve("postgres-17.old")).doesNotExist();
        assertThat(VersionUpgrade.dropOld(data)).isEmpty();
        try (EmbeddedPostgres now = EmbeddedPostgres.start(data)) {
            assertThat(now.processId()).isPositive();
        }
    }

    /** The two last renames are two steps: what was killed between them is ended by the next start. */
    @Test
    @Tag("long")
    void aKillBetweenTheTwoRenamesIsNoticed() throws Exception {
        String digest = fill();
        VersionCopy.runWhenDue(data, _ -> {});
        Files.move(data.resolve("postgres-18"), data.resolve("postgres-18.upgrade"), StandardCopyOption.ATOMIC_MOVE);
        assertThatThrownBy(() -> VersionUpgrade.dropOld(data)).hasMessageContaining("No database of PostgreSQL 18");
        VersionCopy.runWhenDue(data, _ -> {
            throw new AssertionError("there is nothing to copy");
        });
        try (EmbeddedPostgres now = EmbeddedPostgres.start(data)) {
            assertThat(digest(new Database.Location(now.jdbcUrl(), now.user(), now.password(), 4)))
                    .isEqualTo(digest);
        }
    }

    @Test
    @Tag("long")
    void withoutTheProgramsThatItWasMadeWithItIsRefused() throws Exception {
        EarlierServer.start(data).close();
        Files.move(data.resolve("programs"), data.resolve("elsewhere"));
        assertThatThrownBy(() -> VersionCopy.runWhenDue(data, _ -> {}))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining("PostgreSQL 17")
                .hasMessageContaining("programs");
    }
}
