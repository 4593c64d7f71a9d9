package dev.inboxd.server.retention;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.blob.ForwardingBlobs;
import dev.inboxd.base.blob.StoredBlob;
import dev.inboxd.base.database.View;
import dev.inboxd.config.SettingTable;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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
            awaitFirstSweep(world);
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
            awaitFirstSweep(world);
            BlobKey orphan = BlobKey.random(world.organization());
            blobs.put(orphan, new ByteArrayInputStream(new byte[] {1, 2, 3}), 3);
            for (int hour = 0; hour < 23; hour += 6) {
                new Retention(world.database(), blobs, world.clock(), Map.of()).sweep();
                assertThat(keys(blobs)).hasSize(hour < 12 ? 1 : 0);
                world.advance(Duration.ofHours(6).plusMinutes(1));
            }
        }
    }

    /** A supervisor that starts nodes again and again, or many nodes of one store, must not list it each time. */
    @Test
    void aNodeThatIsStartedDoesNotSweepAStoreThatWasSweptAMomentAgo(@TempDir Path folder) {
        try (World world = World.start();
                Blobs blobs = Blobs.at(folder.toString())) {
            AtomicInteger walks = new AtomicInteger();
            Blobs watched = new ForwardingBlobs(blobs) {
                @Override
                public void walk(Consumer<StoredBlob> visitor) {
                    walks.incrementAndGet();
                    super.walk(visitor);
                }
            };
            awaitFirstSweep(world);
            world.advance(Duration.ofHours(7));
            for (int start = 0; start < 5; start++) {
                new Retention(world.database(), watched, world.clock(), Map.of()).sweep();
                assertThat(walks).hasValue(1);
            }
            world.advance(Duration.ofHours(7));
            new Retention(world.database(), watched, world.clock(), Map.of()).sweep();
            assertThat(walks).hasValue(2);
        }
    }

    /** The rows of an organization that moved away stay here, grow old, and may not end the removal of the others'. */
    @Test
    void oldRowsOfAnOrganizationThatMovedAwayHoldUpNoOthers(@TempDir Path folder) {
        try (World world = World.start();
                Blobs blobs = Blobs.at(folder.toString())) {
            awaitFirstSweep(world);
            UUID away = UUID.randomUUID();
            world.database().writeTransient(tx -> {
                View all = View.of(away);
                tx.sql(all, """
                        insert into organization_clock (organization_id, event_seq, last_at, messages, bytes, moved_to)
                        values ({organization}, 0, {now}, 0, 0, 'elsewhere')""").run();
                tx.sql(all, """
                        insert into organization_mark (organization_id, state, moved_to, at)
                        values ({organization}, 'moved', 'elsewhere', {now})""").run();
                return tx.sql(all, """
                        insert into redelivery (organization_id, digest, at)
                        select {organization}, sha256(n::text::bytea), {now} - make_interval(days => 30)
                        from generate_series(1, 20000) as n""").run();
            });
            world.mail("jo@example.com", world.inbox("old"), "Message-ID: <old@x.test>\n\nHello.\n");
            world.advance(Duration.ofDays(8));
            new Retention(world.database(), blobs, world.clock(), Map.of()).sweep();
            assertThat(count(world, "redelivery", "organization_id <> '" + away + "'"))
                    .isZero();
            assertThat(count(world, "redelivery")).isEqualTo(20_000);
        }
    }

    /** The service's own letters, which have codes, go after three days, and other mail that left after thirty. */
    @Test
    void whatLeftGoesWithItsLastRecipient() {
        try (World world = World.start()) {
            world.session();
            String inbox = world.inbox("writer");
            world.http()
                    .post(
                            "/v0/inboxes/" + inbox + "/messages/send",
                            json("to", List.of("a@x.test", "b@x.test"), "subject", "S", "text", "T"))
                    .is(200);
            await(() -> count(world, "submission_recipient", "t.settled_at is not null") == 3);
            assertThat(count(world, "submission")).isEqualTo(2);

            world.advance(Duration.ofDays(4));
            sweep(world);
            assertThat(count(world, "submission", "t.message_id is null")).isZero();
            assertThat(count(world, "submission")).isOne();
            assertThat(count(world, "submission_recipient")).isEqualTo(2);

            // One of the two had its result later: the submission stays for it.
            world.database()
                    .write(
                            world.organization(),
                            tx -> tx.sql(View.of(world.organization()), """
                    update submission_recipient r set settled_at = {now} where {r} and r.position = 1""").run());
            world.advance(Duration.ofDays(27));
            sweep(world);
            assertThat(count(world, "submission_recipient")).isOne();
            assertThat(count(world, "submission")).isOne();

            world.advance(Duration.ofDays(4));
            sweep(world);
            assertThat(count(world, "submission_recipient")).isZero();
            assertThat(count(world, "submission")).isZero();
        }
    }

    /** Everything that is old goes in one sweep, however many rows and organizations that are. */
    @Test
    void aSweepLeavesNothingThatIsOld() {
        try (World world = World.start()) {
            for (int i = 0; i < 3; i++) {
                world.otherOrganization();
            }
            world.database().writeGlobal(tx -> tx.sqlAcrossTenants("""
                    insert into redelivery (organization_id, digest, at)
                    select k.organization_id, decode(md5(i::text || k.organization_id::text), 'hex'),
                        {now} - make_interval(days => 6, secs => i)
                    from organization_clock k cross join generate_series(1, 3000) as i""").run());
            int all = count(world, "redelivery");
            assertThat(all).isGreaterThanOrEqualTo(4 * 3_000);
            sweep(world);
            assertThat(count(world, "redelivery")).isEqualTo(all);
            // All but those of the last minute are a week old then.
            world.advance(Duration.ofDays(1).minusMinutes(1));
            sweep(world);
            assertThat(count(world, "redelivery")).isBetween(1, all / 3_000 * 70);
        }
    }

    /** The service's own, which it does when it starts. */
    private static void awaitFirstSweep(World world) {
        await(() -> world.database()
                        .<Integer>read(tx -> tx.sql("select count(*) as n from upkeep u where u.done_at is not null")
                                .single(row -> row.integer("n")))
                == 2);
    }

    private static void sweep(World world) {
        try (Blobs blobs = Blobs.at(world.folder().resolve("blobs").toString())) {
            new Retention(world.database(), blobs, world.clock(), Map.of()).sweep();
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
        return count(world, table, "true");
    }

    private static int count(World world, String table, String only) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from " + table + " t where " + only)
                        .single(row -> row.integer("n")));
    }
}
