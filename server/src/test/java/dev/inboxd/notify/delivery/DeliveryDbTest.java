package dev.inboxd.notify.delivery;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.notify.webhook.WebhookSignature;
import dev.inboxd.server.World;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import dev.inboxd.testing.JsonText;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an endpoint is told, field by field. */
class DeliveryDbTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aReceivedMailArrivesAtTheEndpointSignedAndWhole() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("whole");
            TestWebhook hook =
                    TestWebhook.of(world, endpoint, inbox, JsonText.members("headers", object("X-Env", "prod")));
            assertThat(world.mail("jo@example.com", inbox, TestMail.of("<whole@x.test>", "Hello there.\n")))
                    .startsWith("250");
            FakeEndpoint.Received post = endpoint.take();
            assertThat(post.method()).isEqualTo("POST");
            assertThat(post.fields())
                    .containsEntry("Content-Type", "application/json")
                    .containsEntry("X-Env", "prod")
                    .containsEntry("webhook-id", post.fields().get("svix-id"))
                    .containsEntry("webhook-timestamp", post.fields().get("svix-timestamp"))
                    .containsEntry("webhook-signature", post.fields().get("svix-signature"));
            assertThat(post.fields().get("User-Agent")).startsWith("inboxd/");
            assertThat(post.fields().get("svix-id")).matches("msg_[0-9A-Za-z]{27}");
            assertThat(TestWebhook.field(post, "svix-signature"))
                    .isEqualTo(new WebhookSignature(hook.secret())
                            .of(
                                    TestWebhook.field(post, "svix-id"),
                                    Long.parseLong(TestWebhook.field(post, "svix-timestamp")),
                                    post.content()));
            Map<String, Object> payload = payload(post);
            assertThat(payload.get("type")).isEqualTo("event");
            assertThat(payload.get("event_type")).isEqualTo("message.received.unauthenticated");
            assertThat(String.valueOf(payload.get("event_id"))).startsWith("evt_");
            Map<String, Object> message = message(post);
            assertThat(message.get("inbox_id")).isEqualTo(inbox);
            assertThat(message.get("message_id")).isEqualTo("<whole@x.test>");
            assertThat(message.get("from")).isEqualTo("Jo <jo@example.com>");
            assertThat(message.get("from_")).isEqualTo(List.of("Jo <jo@example.com>"));
            assertThat(message.get("text")).isEqualTo("Hello there.\n");
            assertThat(message.get("labels")).isEqualTo(List.of("received", "unread", "unauthenticated"));
            assertThat(Duration.between(Instant.parse(String.valueOf(message.get("timestamp"))), Instant.now()))
                    .isLessThan(Duration.ofMinutes(1));
            assertThat(payload.get("thread")).isInstanceOf(Map.class);
            hook.settled();
        }
    }

    /** With a body over 64 KiB all four members are left out and a link takes their place (events.md §4.2). */
    @Test
    void aBodyOverTheInlineLimitTravelsAsALink() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("large");
            TestWebhook.of(world, endpoint, inbox);
            world.mail("jo@example.com", inbox, TestMail.of("<l1@x.test>", ("y".repeat(63) + "\n").repeat(512)));
            assertThat(message(endpoint.take()))
                    .containsKeys("text", "extracted_text")
                    .doesNotContainKey("body_url");
            // The text counts twice: all of it is what the sender wrote.
            String long1 = ("z".repeat(63) + "\n").repeat(512) + "z\n";
            world.mail("jo@example.com", inbox, TestMail.of("<l2@x.test>", long1));
            Map<String, Object> message = message(endpoint.take());
            assertThat(message.keySet())
                    .contains("body_url", "body_expires_at")
                    .doesNotContain("text", "html", "extracted_text", "extracted_html");
            String link = String.valueOf(message.get("body_url"));
            HttpProbe.Answer body =
                    world.anonymous().get(URI.create(link).getPath()).is(200);
            assertThat(body.text("text")).isEqualTo(long1);
            assertThat(body.text("extracted_text")).isEqualTo(long1.strip());
        }
    }

    /** From the rows, as from memory: what a retry or another node renders is the same. */
    @Test
    void aPayloadReadFromTheRowsIsTheOneFromMemory() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("rows");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            String mail = TestMail.of("<rows@x.test>", """
                    MIME-Version: 1.0
                    Reply-To: other@example.com
                    Cc: third@example.com
                    Content-Type: multipart/mixed; boundary=b
                    """, """
                    --b
                    Content-Type: text/html

                    <p>Hi</p>
                    --b
                    Content-Type: text/plain; name=a.txt
                    Content-Disposition: attachment; filename=a.txt

                    attached
                    --b--
                    """);
            world.mail("jo@example.com", inbox, mail);
            FakeEndpoint.Received first = endpoint.take();
            hook.settled();
            world.database()
                    .write(
                            TestWebhook.organization(world),
                            tx -> tx.sql(View.of(TestWebhook.organization(world)), """
                    insert into delivery (organization_id, seq, webhook_id, due_at, message_id, created_at)
                    select e.organization_id, e.seq, :webhook, {now}, e.message_id, e.at from event e
                    where {e} and e.message_name = '<rows@x.test>' and e.type like 'message.received%'""")
                                    .bind("webhook", hook.id())
                                    .run());
            FakeEndpoint.Received second = endpoint.take();
            assertThat(second.text()).isEqualTo(first.text());
            assertThat(second.fields().get("svix-id")).isEqualTo(first.fields().get("svix-id"));
            hook.settled();
        }
    }

    @Test
    void anEventWithDetailsCarriesThemAsItsOwnMembers() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("details");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            raise(inbox, EventType.MESSAGE_BOUNCED, json("bounce", object("inbox_id", inbox, "type", "Permanent")));
            world.advance(EventLog.LEASE.plusSeconds(1));
            Map<String, Object> payload = payload(endpoint.takeRaw());
            assertThat(payload.keySet()).containsExactly("type", "event_type", "event_id", "bounce");
            assertThat(payload.get("event_type")).isEqualTo("message.bounced");
            assertThat(payload.get("bounce")).isEqualTo(Map.of("inbox_id", inbox, "type", "Permanent"));
            hook.settled();
        }
    }

    @Test
    @Proves("P19a")
    void aMessageDeletedMeanwhileIsNotDelivered() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            endpoint.always(FakeEndpoint.status(500));
            String inbox = world.inbox("deleted");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            world.mail("jo@example.com", inbox, TestMail.of("<gone@x.test>", "Secret.\n"));
            endpoint.take();
            hook.line(line -> line.attempts() == 1);
            world.database()
                    .write(
                            TestWebhook.organization(world),
                            tx -> tx.sql(
                                            View.of(TestWebhook.organization(world)),
                                            "delete from message m where {m} and m.name = '<gone@x.test>'")
                                    .run());
            world.advance(Duration.ofSeconds(6));
            hook.settled();
            assertThat(endpoint.received()).isEmpty();
        }
    }

    @Test
    void aDeletedWebhookHearsNothingMore() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start();
                FakeEndpoint other = FakeEndpoint.start()) {
            endpoint.always(FakeEndpoint.status(500));
            String inbox = world.inbox("silence");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            TestWebhook still = TestWebhook.of(world, other, inbox);
            world.mail("jo@example.com", inbox, TestMail.of("<s1@x.test>", "One.\n"));
            endpoint.take();
            other.take();
            hook.line(line -> line.attempts() == 1);
            world.http().delete("/v0/webhooks/" + hook.id()).is(200);
            hook.settled();
            world.mail("jo@example.com", inbox, TestMail.of("<s2@x.test>", "Two.\n"));
            other.take();
            still.settled();
            world.advance(Duration.ofMinutes(10));
            world.mail("jo@example.com", inbox, TestMail.of("<s3@x.test>", "Three.\n"));
            other.take();
            assertThat(endpoint.received()).isEmpty();
        }
    }

    /** Promise P9, small: the healthy one is told while every exchange with the other hangs. */
    @Test
    @Proves("P9")
    void anEndpointThatHangsDelaysNobodyElse() throws IOException {
        try (FakeEndpoint hanging = FakeEndpoint.start();
                FakeEndpoint healthy = FakeEndpoint.start()) {
            hanging.always(hanging.hang());
            String inbox = world.inbox("hangs");
            TestWebhook.of(world, hanging, inbox);
            TestWebhook hook = TestWebhook.of(world, healthy, inbox);
            for (int i = 0; i < 30; i++) {
                world.mail("jo@example.com", inbox, TestMail.of("<h" + i + "@x.test>", "Hello.\n"));
                healthy.take(Duration.ofSeconds(5));
            }
            hook.settled();
            assertThat(hanging.received().size()).isLessThanOrEqualTo(EndpointQueue.WIDEST);
        }
    }

    /** More than memory holds for one endpoint: the rows keep the rest, and all of it arrives. */
    @Test
    void whatFindsNoRoomInMemoryArrivesFromTheRows() throws IOException {
        int many = 700;
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("overflow");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            for (int i = 0; i < many; i++) {
                raise(inbox, EventType.MESSAGE_SENT, json("send", object("number", i)));
            }
            world.advance(EventLog.LEASE.plusSeconds(1));
            Set<Object> numbers = new HashSet<>();
            while (numbers.size() < many) {
                numbers.add(Objects.requireNonNull(payload(endpoint.takeRaw()).get("send")));
            }
            hook.settled();
        }
    }

    @Test
    void aWebhookOfAnInboxHasItsOwnDeliveryIdForTheSameEvent() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("owners");
            TestWebhook one = TestWebhook.of(world, endpoint, inbox);
            TestWebhook.of(world, endpoint, inbox);
            world.database()
                    .write(
                            TestWebhook.organization(world),
                            tx -> tx.sql(
                                            View.of(TestWebhook.organization(world)),
                                            "update webhook w set inbox_id = i.inbox_id from inbox i where {w} and {i}"
                                                    + " and i.inbox_id = any (w.inbox_ids) and w.webhook_id = :id")
                                    .bind("id", one.id())
                                    .run());
            world.mail("jo@example.com", inbox, TestMail.of("<o@x.test>", "Hello.\n"));
            FakeEndpoint.Received first = endpoint.take();
            FakeEndpoint.Received second = endpoint.take();
            assertThat(first.text()).isEqualTo(second.text());
            assertThat(first.fields().get("svix-id"))
                    .isNotEqualTo(second.fields().get("svix-id"));
        }
    }

    /** Raises an event as a feature does, in a transaction of its own and without a word in memory. */
    private static void raise(String inbox, EventType type, String details) {
        UUID organization = TestWebhook.organization(world);
        world.database().run(organization, tx -> {
            View all = View.of(organization);
            Inbox found = InboxScopeResolver.find(tx, all, inbox).orElseThrow();
            EventLog.EventBatch appending = new EventLog(_ -> {}).appending(tx, all);
            appending.add(new Event(
                    type, new Event.Subject(found.pod(), found.id(), null, null, null, 0), List.of(), details));
            appending.write();
        });
    }

    private static Map<String, Object> payload(FakeEndpoint.Received post) {
        return members(Json.parse(post.content()));
    }

    private static Map<String, Object> message(FakeEndpoint.Received post) {
        return members(payload(post).get("message"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> members(@Nullable Object json) {
        return (Map<String, Object>) Objects.requireNonNull(json);
    }
}
