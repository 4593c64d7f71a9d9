package dev.inboxd.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** More than memory holds for one endpoint is left to the rows, and waits there for nobody's lease. */
class OverflowDbTest {
    private static final int INBOXES = 60;
    private static final int MAILS = 20;
    /** What a lane holds, and what may be under way. */
    private static final int MOST = 1_024 + EndpointQueue.WIDEST;

    @Test
    @Tag("long")
    @Proves("P9")
    void whatFindsNoRoomIsDueAtOnceAndArrivesWithoutWaitingForALease() throws IOException {
        try (World world = World.start();
                FakeEndpoint endpoint = FakeEndpoint.start()) {
            CountDownLatch opened = new CountDownLatch(1);
            endpoint.always(FakeEndpoint.after(opened, FakeEndpoint.status(200)));
            HttpProbe.Answer made = world.http()
                    .post("/v0/webhooks", """
                    {"url":"%s",
                    "event_types":["message.received.unauthenticated"]}""".formatted(endpoint.url("/")))
                    .is(200);
            TestWebhook hook = new TestWebhook(world, made.text("webhook_id"), made.text("secret"));
            List<String> inboxes = new ArrayList<>();
            for (int i = 0; i < INBOXES; i++) {
                inboxes.add(world.inbox("over" + i));
            }
            for (int i = 0; i < MAILS; i++) {
                try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
                    assertThat(probe.send("jo@example.com", inboxes, TestMail.of("<o" + i + "@x.test>", "Hello.\n")))
                            .startsWith("250");
                }
            }
            Eventually.await(() -> held(world) <= MOST);
            assertThat(free(world)).as("due, and nobody's").isGreaterThanOrEqualTo(INBOXES * MAILS - MOST);
            opened.countDown();
            Set<String> told = new HashSet<>();
            while (told.size() < INBOXES * MAILS) {
                told.add(TestWebhook.field(endpoint.take(Duration.ofSeconds(20)), "svix-id"));
            }
            hook.settled();
        }
    }

    private static long held(World world) {
        return count(world, "d.claimed_by is not null");
    }

    private static long free(World world) {
        return count(world, "d.claimed_by is null and d.due_at <= {now}");
    }

    private static long count(World world, String which) {
        return world.database()
                .read(tx -> tx.sql(
                                View.of(world.organization()),
                                "select count(*) as rows from delivery d where {d} and " + which)
                        .single(row -> row.longer("rows")));
    }
}
