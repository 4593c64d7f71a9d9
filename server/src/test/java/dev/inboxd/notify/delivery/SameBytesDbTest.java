package dev.inboxd.notify.delivery;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a webhook is told of a mail is the same bytes each time, though nothing is stored when it is delivered at once
 * and though labels and thread go on (docs/decisions/0029-the-same-bytes.md).
 */
class SameBytesDbTest {
    private World world;
    private FakeEndpoint endpoint;
    private String inbox;

    @BeforeEach
    void start() {
        world = World.start();
        endpoint = FakeEndpoint.start();
        inbox = world.inbox("same");
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        endpoint.close();
    }

    private void mail(String id, String more, String body) {
        assertThat(world.mail("jo@example.com", inbox, TestMail.of("<" + id + "@x.test>", more, body)))
                .startsWith("250");
    }

    private void relabel(String id, String change) {
        world.http()
                .patch("/v0/inboxes/" + inbox + "/messages/" + encoded("<" + id + "@x.test>"), change)
                .is(200);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String withFile(String name) {
        return "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nHi\n"
                + "--b\n"
                + "Content-Type: text/plain; name=" + name + "\nContent-Disposition: attachment; filename=" + name
                + "\n\nfile\n--b--\n";
    }

    /** The process dies between the attempt and the writing of what came of it; labels were changed in between. */
    @Test
    @Tag("long")
    @Proves("P8")
    void aNodeThatDiesBeforeItSettledAndChangedLabelsChangeNothing() {
        TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
        mail("warm", "", "A success lets two attempts run at once.\n");
        endpoint.take();
        hook.settled();
        endpoint.always(endpoint.hang());
        mail("first", "", "Hello.\n");
        FakeEndpoint.Received before = endpoint.take();
        relabel("first", json("add_labels", List.of("done", "a"), "remove_labels", List.of("unread")));
        mail("answer", "In-Reply-To: <first@x.test>\n", "Another.\n");
        FakeEndpoint.Received answer = endpoint.take();
        assertThat(hook.lines()).allMatch(line -> line.payload() == null && line.attempts() == 0);
        relabel("first", json("add_labels", List.of("spam")));
        relabel("answer", json("remove_labels", List.of("unread")));
        endpoint.always(FakeEndpoint.status(200));
        world.restart();
        FakeEndpoint.Received one = endpoint.take();
        FakeEndpoint.Received two = endpoint.take();
        boolean inOrder = one.text().contains("Hello.");
        assertThat((inOrder ? one : two).text()).isEqualTo(before.text());
        assertThat((inOrder ? two : one).text()).isEqualTo(answer.text());
        hook.settled();
    }

    @Test
    @Tag("long")
    @Proves("P8")
    void aThreadIsToldAsItWasWithItsAttachments() {
        TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
        mail("root", "", "Root.\n");
        endpoint.take();
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        TestMail.of(
                                "<one@x.test>",
                                "In-Reply-To: <root@x.test>\n"
                                        + withFile("one.txt").split("\n\n", 2)[0] + "\n",
                                withFile("one.txt").split("\n\n", 2)[1])))
                .startsWith("250");
        FakeEndpoint.Received one = endpoint.take();
        assertThat(one.text()).contains(members("message_count", 2)).contains("one.txt");
        hook.settled();
        assertThat(world.mail(
                        "eve@example.com",
                        inbox,
                        TestMail.of(
                                "<two@x.test>",
                                "In-Reply-To: <one@x.test>\n"
                                        + withFile("two.txt").split("\n\n", 2)[0] + "\n",
                                withFile("two.txt").split("\n\n", 2)[1])))
                .startsWith("250");
        FakeEndpoint.Received two = endpoint.take();
        assertThat(two.text()).contains(members("message_count", 3)).contains("two.txt");
        hook.settled();
        relabel("root", json("add_labels", List.of("kept"), "remove_labels", List.of("unread")));
        relabel("one", json("add_labels", List.of("trash")));
        for (FakeEndpoint.Received first : new FakeEndpoint.Received[] {one, two}) {
            world.http()
                    .post(
                            "/v0/webhooks/" + hook.id() + "/deliveries/" + TestWebhook.field(first, "svix-id")
                                    + "/redeliver",
                            "")
                    .is(200);
            FakeEndpoint.Received again = endpoint.take();
            assertThat(again.text()).isEqualTo(first.text());
            assertThat(TestWebhook.field(again, "svix-id")).isEqualTo(TestWebhook.field(first, "svix-id"));
            hook.settled();
        }
    }

    /** A link to a large body begins with the event, not with the attempt. */
    @Test
    @Tag("long")
    void aDeliveryThatIsRepeatedLaterCarriesTheSameLink() {
        TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
        mail("large", "", ("z".repeat(63) + "\n").repeat(1_100));
        FakeEndpoint.Received first = endpoint.take();
        assertThat(first.text()).contains("body_url");
        hook.settled();
        world.advance(Duration.ofMinutes(90));
        world.http()
                .post(
                        "/v0/webhooks/" + hook.id() + "/deliveries/" + TestWebhook.field(first, "svix-id")
                                + "/redeliver",
                        "")
                .is(200);
        assertThat(endpoint.take().text()).isEqualTo(first.text());
        hook.settled();
    }

    /** Nothing was remembered when nobody listened; it is from the first time that it is told. */
    @Test
    @Tag("long")
    void whatIsReplayedToAWebhookThatCameLaterIsTheSameEachTime() {
        Instant start = world.clock().instant();
        mail("root", "", "Root.\n");
        mail("reply", "In-Reply-To: <root@x.test>\n", "Reply.\n");
        assertThat(remembered()).isZero();
        TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
        replay(hook, start);
        FakeEndpoint.Received one = endpoint.take();
        FakeEndpoint.Received two = endpoint.take();
        hook.settled();
        assertThat(remembered()).isOne();
        relabel("root", json("add_labels", List.of("kept")));
        relabel("reply", json("remove_labels", List.of("unread")));
        replay(hook, start);
        assertThat(List.of(endpoint.take().text(), endpoint.take().text()))
                .containsExactlyInAnyOrder(one.text(), two.text());
        hook.settled();
        // promises.md P19: of what is deleted for good nothing stays.
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        Eventually.await(() -> remembered() == 0);
    }

    private void replay(TestWebhook hook, Instant start) {
        world.http()
                .post("/v0/webhooks/" + hook.id() + "/replay", json("after", start.toString()))
                .is(200);
    }

    private long remembered() {
        return world.database()
                .read(tx -> tx.sql(
                                View.of(world.organization()),
                                "select count(*) as threads from event_thread t where {t}")
                        .single(row -> row.longer("threads")));
    }
}
