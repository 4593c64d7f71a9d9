package dev.inboxd.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.config.SettingTable;
import dev.inboxd.platform.blob.BlobKey;
import dev.inboxd.platform.blob.Blobs;
import dev.inboxd.platform.database.View;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is old goes, and nothing else does. */
class RetentionDbTest {
    @Test
    void theSettingNamesEveryRuleAndNothingElse() {
        assertThat(SettingTable.RETENTION_NAMES).isEqualTo(Retention.names());
    }

    @Test
    @Proves("P19a")
    void digestsGoAfterAWeekAndOrphanedBlobsAfterADay(@TempDir Path folder) {
        try (World world = World.start();
                Blobs blobs = Blobs.at(folder.toString())) {
            UUID ours = UUID.fromString(world.http().get("/v0/auth/me").is(200).text("organization_id"));
            BlobKey orphan = BlobKey.random(ours);
            BlobKey neighbours = BlobKey.random(UUID.randomUUID());
            BlobKey drafts = BlobKey.random(ours);
            keepForDraft(world, drafts);
            for (BlobKey key : List.of(orphan, neighbours, drafts)) {
                blobs.put(key, new ByteArrayInputStream(new byte[] {1, 2, 3}), 3);
            }
            String inbox = world.inbox("old");
            String mail = "Message-ID: <old@x.test>\n\nHello.\n";
            world.mail("jo@example.com", inbox, mail);
            Retention retention = new Retention(world.database(), blobs, world.clock(), Map.of());

            retention.sweep();
            assertThat(count(world, "redelivery")).isOne();
            assertThat(keys(blobs)).containsExactlyInAnyOrder(orphan, neighbours, drafts);

            world.advance(Duration.ofDays(8));
            retention.sweep();
            assertThat(count(world, "redelivery")).isZero();
            assertThat(keys(blobs)).containsExactlyInAnyOrder(neighbours, drafts);
            assertThat(count(world, "message")).isOne();
        }
    }

    /** A service that is restarted every night must not keep for ever what an interrupted deletion left. */
    @Test
    @Proves("P19a")
    void aBlobWithoutARowGoesWithinADayEvenWhenTheServiceIsRestarted(@TempDir Path folder) {
        try (World world = World.start();
                Blobs blobs = Blobs.at(folder.toString())) {
            BlobKey orphan = BlobKey.random(world.organization());
            blobs.put(orphan, new ByteArrayInputStream(new byte[] {1, 2, 3}), 3);
            for (int hour = 0; hour < 23; hour += 6) {
                new Retention(world.database(), blobs, world.clock(), Map.of()).sweep();
                assertThat(keys(blobs)).hasSize(hour < 12 ? 1 : 0);
                world.advance(Duration.ofHours(6).plusMinutes(1));
            }
        }
    }

    private static void keepForDraft(World world, BlobKey blob) {
        View all = View.of(blob.organization());
        world.database()
                .write(
                        blob.organization(),
                        tx -> tx.sql(all, """
                insert into draft_attachment (organization_id, attachment_id, draft_id, inbox_id, position, media_type,
                                              inline, size, blob)
                values ({organization}, :id, :id, :id, 1, 'text/plain', false, 3, :blob)""")
                                .bind("id", UUID.randomUUID())
                                .bind("blob", blob.name())
                                .run());
    }

    private static List<BlobKey> keys(Blobs blobs) {
        List<BlobKey> keys = new ArrayList<>();
        blobs.walk(blob -> keys.add(blob.key()));
        return keys;
    }

    private static int count(World world, String table) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from " + table + " t")
                        .one(row -> row.integer("n")));
    }
}
