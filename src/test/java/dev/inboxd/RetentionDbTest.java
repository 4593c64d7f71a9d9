package dev.inboxd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.blob.BlobKey;
import dev.inboxd.blob.Blobs;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is old goes, and nothing else does. */
class RetentionDbTest {
    @Test
    void digestsGoAfterAWeekAndOrphanedBlobsAfterADay(@TempDir Path folder) {
        try (World world = World.start(); Blobs blobs = Blobs.at(folder.toString())) {
            BlobKey orphan = BlobKey.random(UUID.randomUUID());
            blobs.put(orphan, new ByteArrayInputStream(new byte[] {1, 2, 3}), 3);
            String inbox = world.inbox("old");
            String mail = "Message-ID: <old@x.test>\n\nHello.\n";
            world.mail("jo@example.com", inbox, mail);
            Retention retention = new Retention(world.database(), blobs, world.clock(), Map.of());

            retention.sweep();
            assertThat(count(world, "redelivery")).isOne();
            assertThat(blobs.open(orphan)).isNotNull();

            world.advance(Duration.ofDays(8));
            retention.sweep();
            assertThat(count(world, "redelivery")).isZero();
            int[] left = new int[1];
            blobs.walk(_ -> left[0]++);
            assertThat(left[0]).isZero();
            assertThat(count(world, "message")).isOne();
        }
    }

    private static int count(World world, String table) {
        return world.database().read(tx -> tx.sqlAcross("select count(*) as n from " + table + " t")
                .one(row -> row.integer("n")));
    }
}
