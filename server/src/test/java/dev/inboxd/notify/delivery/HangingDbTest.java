package dev.inboxd.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Promise P9 in its whole size: a thousand endpoints that hang, each an address of its own, harm nobody else. */
class HangingDbTest {
    private static final int HANGING = 1_000;

    /**
     * Every exchange with the thousand hangs to its end while the healthy one is told of each mail. None of those waits
     * for a place: each arrives while all of the others still hang, which is far below their fifteen seconds.
     */
    @Test
    @Tag("long")
    @Proves({"P9", "A25"})
    void aThousandEndpointsThatHangDelayNobody() throws IOException {
        List<FakeEndpoint> endpoints = new ArrayList<>();
        try (World world = World.start();
                FakeEndpoint healthy = FakeEndpoint.start()) {
            String inbox = world.inbox("thousand");
            for (int i = 0; i < HANGING; i++) {
                FakeEndpoint endpoint = FakeEndpoint.start();
                endpoint.always(endpoint.hang());
                endpoints.add(endpoint);
                TestWebhook.of(world, endpoint, inbox);
            }
            TestWebhook hook = TestWebhook.of(world, healthy, inbox);
            world.mail("jo@example.com", inbox, TestMail.of("<first@x.test>", "Hello.\n"));
            healthy.take();
            Eventually.await(() ->
                    endpoints.stream().noneMatch(endpoint -> endpoint.received().isEmpty()));
            for (int i = 0; i < 5; i++) {
                world.mail("jo@example.com", inbox, TestMail.of("<t" + i + "@x.test>", "Hello.\n"));
                healthy.take();
            }
            hook.settled();
            // A lane that hangs has one exchange under way, and the rest of its queue waits behind that one.
            assertThat(endpoints).allMatch(endpoint -> endpoint.received().size() <= EndpointQueue.WIDEST);
        } finally {
            for (FakeEndpoint endpoint : endpoints) {
                endpoint.close();
            }
        }
    }
}
