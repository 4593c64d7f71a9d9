package dev.inboxd.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.DatabaseProxy;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The minutes after the database was away: what is accepted then is told as quickly as ever. */
class DatabaseReturnDbTest {
    /** Longer than a node may be silent and live. */
    private static final Duration AWAY = Duration.ofSeconds(9);

    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Test
    @Tag("long")
    @Proves("P8b")
    void mailThatIsAcceptedRightAfterTheDatabaseReturnedIsToldWithinTenSeconds() throws IOException {
        try (DatabaseProxy way = new DatabaseProxy();
                World world = World.start(Map.of(), way::before);
                FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("returned");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            world.mail("jo@example.com", inbox, TestMail.of("<before@x.test>", "Hello.\n"));
            endpoint.take();
            hook.settled();
            UUID before = node(world);
            way.cut();
            Instant back = Instant.now().plus(AWAY);
            Eventually.await(AWAY.plusSeconds(10), () -> Instant.now().isAfter(back));
            way.mend();
            Eventually.await(
                    Duration.ofSeconds(30),
                    () -> world.mail("jo@example.com", inbox, TestMail.of("<first@x.test>", "Hello.\n"))
                            .startsWith("250"));
            Instant accepted = Instant.now();
            assertThat(world.mail("jo@example.com", inbox, TestMail.of("<second@x.test>", "Hello.\n")))
                    .startsWith("250");
            assertThat(endpoint.take(LIMIT).text() + endpoint.take(LIMIT).text())
                    .contains("<first@x.test>")
                    .contains("<second@x.test>");
            assertThat(Duration.between(accepted, Instant.now())).isLessThan(LIMIT);
            Eventually.await(() -> !node(world).equals(before));
            assertThat(endpoint.received()).isEmpty();
        }
    }

    /** Claims of the time before, whose node lives on: it has another name by then. */
    @Test
    @Tag("long")
    @Proves("P8b")
    void aNodeThatWasSilentTakesOverWhatItHadClaimedUnderItsFormerName() throws IOException {
        try (DatabaseProxy way = new DatabaseProxy();
                World world = World.start(Map.of(), way::before);
                FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("former");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            world.mail("jo@example.com", inbox, TestMail.of("<held@x.test>", "Hello.\n"));
            endpoint.take();
            hook.settled();
            hook.claimAgain(node(world), Duration.ofMinutes(30));
            way.cut();
            Instant back = Instant.now().plus(AWAY);
            Eventually.await(AWAY.plusSeconds(10), () -> Instant.now().isAfter(back));
            way.mend();
            assertThat(endpoint.take(LIMIT.plusSeconds(5)).text()).contains("<held@x.test>");
            hook.settled();
        }
    }

    /** The name of the node that showed itself last. */
    private static UUID node(World world) {
        return world.database()
                .read(tx -> tx.sql("select n.node_id from node n order by n.seen_at desc limit 1")
                        .single(row -> row.uuid("node_id")));
    }
}
