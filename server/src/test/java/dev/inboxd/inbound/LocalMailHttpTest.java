package dev.inboxd.inbound;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mail between inboxes here is looked at like mail from elsewhere, after its sender was answered. */
class LocalMailHttpTest {
    private static final String GTUBE = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";

    private final FakeClamd clamd = new FakeClamd();
    private final FakeEndpoint rspamd = FakeEndpoint.start().always(judging("no action"));
    private World world;
    private String from;
    private String to;

    @BeforeEach
    void start() {
        world = World.start(
                Map.of("INBOXD_CLAMAV", "127.0.0.1:" + clamd.address().getPort(), "INBOXD_SPAM_URL", rspamd.url("")));
        from = world.inbox("from");
        to = world.inbox("to");
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        clamd.close();
        rspamd.close();
    }

    @Test
    @Proves("A5c")
    void aVirusFromAnInboxHereReachesNobodyHereOrElsewhereAndItsSenderIsTold() {
        String sent = send("infected", FakeClamd.EICAR, to, "jo@elsewhere.test");
        await(() -> world.http().get("/v0/events?limit=100").is(200).text().contains("message.rejected"));
        assertThat(labels(from, sent)).contains("sent", "rejected").doesNotContain("delivered");
        assertThat(messages(to)).isEmpty();
        String told = world.http()
                .get("/v0/inboxes/" + from + "/events?limit=100")
                .is(200)
                .text();
        assertThat(told).contains("rejected");
        assertThat(world.anonymous().get("/sandbox/messages").is(200).text()).doesNotContain("infected");

        send("clean", "Hello", to);
        await(() -> messages(to).size() == 1);
    }

    @Test
    @Proves("A5c")
    void whileTheScannerSaysNothingTheMessageWaitsAndIsNotLost() throws InterruptedException {
        clamd.saying("INSTREAM: Can't allocate memory ERROR");
        String sent = send("patient", "Hello", to);
        clamd.scanned().take();
        assertThat(messages(to)).isEmpty();
        clamd.saying("stream: OK");
        await(() -> messages(to).size() == 1);
        await(() -> labels(from, sent).contains("delivered"));
    }

    @Test
    @Proves("A5c")
    void rspamdIsToldWhoseItIsAndItsWordIsTheLabel() {
        rspamd.always(judging("add header"));
        send("offer", "Hello", to);
        await(() -> messages(to).size() == 1);
        FakeEndpoint.Received asked = rspamd.take();
        assertThat(asked.fields())
                .containsEntry("User", from)
                .containsEntry("From", from)
                .doesNotContainKey("IP");
        assertThat(asked.text()).contains("Subject: offer");
        assertThat(labels(to, name(to))).contains("received", "unread", "spam");
    }

    @Test
    @Proves("A5c")
    void whatTheServiceItselfWritesIsNeverSuspected() {
        rspamd.always(judging("reject"));
        world.anonymous()
                .post(
                        "/v0/agent/sign-up",
                        Json.text(Map.of("human_email", to, "username", "newbie", "source", "tests")))
                .is(200);
        await(() -> messages(to).size() == 1);
        assertThat(labels(to, name(to))).contains("received").doesNotContain("spam");
        assertThat(rspamd.received()).isEmpty();
        assertThat(clamd.scanned()).isEmpty();
    }

    @Test
    @Tag("long")
    @Proves("A5c")
    void withoutAnRspamdTheBuiltInJudgementLabelsItAndAnAnswerIsNoSpam() {
        world.close();
        world = World.start();
        from = world.inbox("from");
        to = world.inbox("to");
        String first = send("a test", GTUBE, to);
        await(() -> messages(to).size() == 1);
        assertThat(labels(to, first)).contains("received", "spam");
        assertThat(world.http().get("/v0/inboxes/" + to + "/messages").is(200).list("messages"))
                .isEmpty();
        assertThat(world.http().get("/v0/events?limit=100").is(200).text()).contains("message.received.spam");
        String answer = world.http()
                .post(path(to, first) + "/reply", Json.text(Map.of("text", GTUBE)))
                .is(200)
                .text("message_id");
        await(() ->
                messages(from).stream().anyMatch(message -> answer.equals(((Map<?, ?>) message).get("message_id"))));
        assertThat(labels(from, answer)).as("an answer to what the inbox sent").doesNotContain("spam");
    }

    private static FakeEndpoint.Behaviour judging(String action) {
        return FakeEndpoint.respond(200, "Content-Type: application/json\r\n", json("action", action));
    }

    private String send(String subject, String text, String... recipients) {
        return world.http()
                .post(
                        "/v0/inboxes/" + from + "/messages/send",
                        Json.text(Map.of("to", List.of(recipients), "subject", subject, "text", text)))
                .is(200)
                .text("message_id");
    }

    private List<?> messages(String inbox) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages?include_spam=true&labels=received")
                .is(200)
                .list("messages");
    }

    private String name(String inbox) {
        return String.valueOf(((Map<?, ?>) messages(inbox).getFirst()).get("message_id"));
    }

    private List<String> labels(String inbox, String message) {
        return world.http().get(path(inbox, message)).is(200).list("labels").stream()
                .map(String::valueOf)
                .toList();
    }

    private static String path(String inbox, String message) {
        return "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(message, StandardCharsets.UTF_8);
    }
}
