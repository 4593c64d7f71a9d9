package dev.inboxd.notify.delivery;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Promise P6, its second half: every event gives one delivery to each webhook that matches and is enabled at that
 * moment, and to no other. Mails, label changes and changes of webhooks in random order, against a model.
 */
class FanOutDbTest {
    private static final int STEPS = 400;
    private static final long SEED = Long.getLong("seed", 20_261_120);

    /** What the model knows of a webhook; its number is the path it posts to. */
    private static final class Listener {
        final TestWebhook hook;
        final List<String> inboxes;
        final boolean hearsArrivals;
        final List<String> expected = new ArrayList<>();
        final List<String> heard = new ArrayList<>();
        boolean enabled = true;

        Listener(TestWebhook hook, List<String> inboxes, boolean hearsArrivals) {
            this.hook = hook;
            this.inboxes = inboxes;
            this.hearsArrivals = hearsArrivals;
        }

        boolean wants(String inbox) {
            return enabled && hearsArrivals && (inboxes.isEmpty() || inboxes.contains(inbox));
        }
    }

    private record Stored(String inbox, String name) {}

    private final Random random = new Random(SEED);
    private final List<Listener> all = new ArrayList<>();
    private final List<Listener> living = new ArrayList<>();
    private final List<Stored> mails = new ArrayList<>();

    @Test
    @Tag("long")
    @Proves("P6")
    void everyEventReachesExactlyTheWebhooksThatMatchAtThatMoment() throws IOException {
        try (World world = World.start();
                FakeEndpoint endpoint = FakeEndpoint.start()) {
            List<String> inboxes = List.of(world.inbox("one"), world.inbox("two"), world.inbox("three"));
            for (int step = 0; step < STEPS; step++) {
                int kind = random.nextInt(20);
                if (kind < 2 || living.isEmpty()) {
                    listen(world, endpoint, inboxes);
                } else if (kind < 3) {
                    drain(endpoint);
                    end(world, living.remove(random.nextInt(living.size())));
                } else if (kind < 8 && !mails.isEmpty()) {
                    relabel(world, mails.get(random.nextInt(mails.size())));
                } else {
                    mail(world, inboxes.get(random.nextInt(inboxes.size())));
                }
            }
            drain(endpoint);
            for (Listener listener : all) {
                assertThat(listener.heard).as("seed %d", SEED).containsExactlyInAnyOrderElementsOf(listener.expected);
                listener.hook.settled();
            }
        }
    }

    private void listen(World world, FakeEndpoint endpoint, List<String> inboxes) {
        List<String> some = inboxes.stream().filter(_ -> random.nextInt(3) == 0).toList();
        boolean hearsArrivals = random.nextInt(4) > 0;
        String types = hearsArrivals ? "message.received.unauthenticated" : "message.bounced";
        String targets = some.isEmpty() ? "" : "," + members("inbox_ids", some);
        HttpProbe.Answer answer = world.http()
                .post(
                        "/v0/webhooks",
                        "{"
                                + members(
                                        "url",
                                        endpoint.url("/" + all.size()),
                                        "event_types",
                                        List.of(types, "message.sent"))
                                + targets + "}")
                .is(200);
        Listener listener = new Listener(
                new TestWebhook(world, answer.text("webhook_id"), answer.text("secret")), some, hearsArrivals);
        all.add(listener);
        living.add(listener);
    }

    private void end(World world, Listener listener) {
        listener.enabled = false;
        if (random.nextBoolean()) {
            world.http().delete("/v0/webhooks/" + listener.hook.id()).is(200);
        } else {
            world.database()
                    .write(
                            TestWebhook.organization(world),
                            tx -> tx.sql(
                                            View.of(TestWebhook.organization(world)),
                                            "update webhook w set enabled = false where {w} and w.webhook_id = :id")
                                    .bind("id", listener.hook.id())
                                    .run());
        }
    }

    private void relabel(World world, Stored mail) {
        String name = URLEncoder.encode(mail.name, StandardCharsets.UTF_8);
        world.http()
                .patch(
                        "/v0/inboxes/" + mail.inbox + "/messages/" + name,
                        json("add_labels", List.of("label-" + random.nextInt(5))))
                .is(200);
    }

    private void mail(World world, String inbox) {
        String name = "<m" + mails.size() + "@x.test>";
        assertThat(world.mail("jo@example.com", inbox, TestMail.of(name, "Hello.\n")))
                .startsWith("250");
        mails.add(new Stored(inbox, name));
        living.stream().filter(listener -> listener.wants(inbox)).forEach(listener -> listener.expected.add(name));
    }

    /** Takes what has arrived and must still arrive. */
    private void drain(FakeEndpoint endpoint) {
        while (all.stream().anyMatch(listener -> listener.heard.size() < listener.expected.size())) {
            FakeEndpoint.Received post = endpoint.take();
            Map<?, ?> payload = (Map<?, ?>) Objects.requireNonNull(Json.parse(post.content()));
            Map<?, ?> message = (Map<?, ?>) Objects.requireNonNull(payload.get("message"));
            all.get(Integer.parseInt(post.path().substring(1))).heard.add(String.valueOf(message.get("message_id")));
        }
        assertThat(new TreeSet<>(endpoint.received().stream()
                        .map(FakeEndpoint.Received::path)
                        .toList()))
                .isEmpty();
    }
}
