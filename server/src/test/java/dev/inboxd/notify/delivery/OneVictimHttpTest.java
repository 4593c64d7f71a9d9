package dev.inboxd.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/** Many webhooks under many names are no weapon against the one host that all lead to (promises.md A25). */
class OneVictimHttpTest {
    private static final int MANY = 12;

    @Test
    @Proves("A25")
    void manyNamesOfOneAddressGetFewPostsAtOnceAndAnotherAddressIsNotHeldUp() throws IOException {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "deliveries_per_target=4,requests=1000"));
                FakeEndpoint victim = FakeEndpoint.start();
                FakeEndpoint healthy = FakeEndpoint.startAt("127.0.0.9")) {
            CountDownLatch release = new CountDownLatch(1);
            victim.always(FakeEndpoint.after(release, FakeEndpoint.status(200)));
            String inbox = world.inbox("amplifier");
            for (int i = 0; i < MANY; i++) {
                world.dns().addresses("name" + i + ".victim.test", "127.0.0.1");
                TestWebhook.to(world, victim.url("name" + i + ".victim.test", "/hook"), inbox);
            }
            world.dns().addresses("free.test", "127.0.0.9");
            world.mail("jo@example.com", inbox, TestMail.of("<v@x.test>", "Hello.\n"));
            victim.take();
            victim.take();
            // One organization has half of the four. The others wait until it is their turn, and none is lost.
            assertThat(victim.connections()).isLessThanOrEqualTo(2);
            TestWebhook hook = TestWebhook.to(world, healthy.url("free.test", "/hook"), inbox);
            world.mail("jo@example.com", inbox, TestMail.of("<h@x.test>", "Hello.\n"));
            assertThat(healthy.take().text()).contains("<h@x.test>");
            hook.settled();
            assertThat(victim.received()).isEmpty();
            release.countDown();
            for (int i = 2; i < 2 * MANY; i++) {
                victim.take();
            }
        }
    }

    /** Tried by hand as often as anybody likes, it gets no more posts at once than deliveries may make. */
    @Test
    @Tag("long")
    @Proves("A25")
    void aTrialTakesAPlaceAtItsTargetOrSaysThatThereIsNone() throws IOException {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "deliveries_per_target=4"));
                FakeEndpoint victim = FakeEndpoint.start()) {
            CountDownLatch release = new CountDownLatch(1);
            victim.always(FakeEndpoint.after(release, FakeEndpoint.status(200)));
            String inbox = world.inbox("tried");
            world.dns().addresses("one.victim.test", "127.0.0.1").addresses("two.victim.test", "127.0.0.1");
            TestWebhook hook = TestWebhook.to(world, victim.url("one.victim.test", "/hook"), inbox);
            TestWebhook.to(world, victim.url("two.victim.test", "/hook"), inbox);
            world.mail("jo@example.com", inbox, TestMail.of("<tried@x.test>", "Hello.\n"));
            victim.take();
            victim.take(); // the organization's half
            HttpProbe.Answer answer =
                    world.http().post("/v0/webhooks/" + hook.id() + "/test", "").is(200);
            assertThat(answer.at("delivered")).isEqualTo(false);
            assertThat(answer.text("error")).startsWith("busy: Too many deliveries to this host");
            assertThat(victim.connections()).isEqualTo(2);
            release.countDown();
            hook.settled();
            assertThat(world.http()
                            .post("/v0/webhooks/" + hook.id() + "/test", "")
                            .is(200)
                            .at("delivered"))
                    .isEqualTo(true);
        }
    }

    /** Neither when the name was empty, nor refused by the server, as the place was given. */
    @Test
    @Proves("A25")
    void whoHasAPlaceAtHisOwnNameOnlyReachesNobody() throws IOException {
        try (World world = World.start(Map.of("INBOXD_LIMITS", "deliveries_per_target=4"));
                FakeEndpoint victim = FakeEndpoint.start()) {
            String inbox = world.inbox("turning");
            world.dns()
                    .addresses("empty.test")
                    .addresses("empty.test", "127.0.0.1")
                    .failing("broken.test", Type.A)
                    .failing("broken.test", Type.AAAA)
                    .addresses("broken.test", "127.0.0.1");
            TestWebhook empty = TestWebhook.to(world, victim.url("empty.test", "/hook"), inbox);
            TestWebhook broken = TestWebhook.to(world, victim.url("broken.test", "/hook"), inbox);
            world.mail("jo@example.com", inbox, TestMail.of("<t@x.test>", "Hello.\n"));
            assertThat(empty.line(line -> line.attempts() == 1).error()).startsWith("dns:");
            assertThat(broken.line(line -> line.attempts() == 1).error()).startsWith("dns:");
            assertThat(victim.connections()).isZero();
        }
    }
}
