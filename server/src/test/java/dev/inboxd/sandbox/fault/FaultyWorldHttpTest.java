package dev.inboxd.sandbox.fault;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
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
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Webhooks, mail, look-ups, the database and the store that fail for one organization because it asked for it. */
class FaultyWorldHttpTest {
    private static final String FAULTS = "/sandbox/faults";
    private static final String MAIL = "From: kim@c.example\nTo: box\nSubject: Hi\n\nHi\n";

    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_PRIVATE_TARGETS", "allow"));

    private HttpProbe mine;
    private HttpProbe other;
    private String inbox;
    private String theirs;

    @BeforeEach
    void organizations() {
        mine = world.as(world.otherOrganization());
        other = world.as(world.otherOrganization());
        inbox = mine.post("/v0/inboxes", "{}").is(200).text("inbox_id");
        theirs = other.post("/v0/inboxes", "{}").is(200).text("inbox_id");
    }

    @Test
    @Tag("long")
    @Proves("P25")
    void attemptsOfAWebhookEndAsWasAskedForWithoutAConnection() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String hook = webhook(mine, endpoint.url("/mine"));
            webhook(other, endpoint.url("/theirs"));
            ask("kind", "webhook", "times", 1, "answer", 500, "webhook_id", hook);
            ask("kind", "webhook", "times", 1, "answer", "refused");
            ask("kind", "webhook", "times", 1, "answer", "timeout");
            handIn(other, theirs);
            assertThat(endpoint.take().path()).isEqualTo("/theirs");
            handIn(mine, inbox);
            world.walk(Duration.ofHours(1));
            assertThat(endpoint.take().path()).isEqualTo("/mine");
            HttpProbe.Answer log =
                    mine.get("/v0/webhooks/" + hook + "/deliveries").is(200);
            assertThat(log.text("deliveries.0.status")).isEqualTo("delivered");
            assertThat(log.at("deliveries.0.attempts.0.status")).isEqualTo(500L);
            assertThat(log.text("deliveries.0.attempts.1.error")).startsWith("connect: ");
            assertThat(log.text("deliveries.0.attempts.2.error")).startsWith("timeout: ");
            assertThat(log.at("deliveries.0.attempts.3.status")).isEqualTo(200L);
            assertThat(endpoint.received()).isEmpty();
        }
    }

    @Test
    @Proves("P25")
    void handOversAreAnsweredAsWasAskedFor() {
        ask("kind", "smtp", "times", 1, "code", 451, "enhanced", "4.7.1", "recipient", "*@slow.example");
        ask("kind", "smtp", "times", 1, "code", 554, "recipient", "kim@bad.example");
        String held = send(mine, inbox, "a@slow.example");
        awaitLabel(mine, inbox, held, "delayed");
        assertThat(message(mine, inbox, held).text("deliveries.0.answer")).startsWith("451 4.7.1");
        String refused = send(mine, inbox, "kim+tag@bad.example");
        awaitLabel(mine, inbox, refused, "bounced");
        assertThat(message(mine, inbox, refused).text("deliveries.0.answer")).startsWith("554 5.0.0");
        awaitLabel(other, theirs, send(other, theirs, "b@slow.example"), "delivered");
        awaitLabel(mine, inbox, send(mine, inbox, "c@slow.example"), "delivered");
        world.walk(Duration.ofHours(1));
        awaitLabel(mine, inbox, held, "delivered");
    }

    @Test
    void namesAreNotFound() throws IOException {
        ask("kind", "dns", "seconds", 300, "answer", "servfail", "names", List.of("away.example"));
        ask("kind", "dns", "seconds", 300, "answer", "nxdomain", "names", List.of("gone.example", "localhost"));
        String held = send(mine, inbox, "a@mail.away.example");
        awaitLabel(mine, inbox, held, "delayed");
        assertThat(message(mine, inbox, held).text("deliveries.0.answer")).startsWith("451 4.4.3");
        String refused = send(mine, inbox, "a@gone.example");
        awaitLabel(mine, inbox, refused, "bounced");
        assertThat(message(mine, inbox, refused).text("deliveries.0.answer")).startsWith("550 5.1.2");
        awaitLabel(other, theirs, send(other, theirs, "a@gone.example"), "delivered");
        awaitLabel(mine, inbox, send(mine, inbox, "a@begone.example"), "delivered");
        String hook = webhook(mine, "http://hooks.away.example/");
        assertThat(mine.post("/v0/webhooks/" + hook + "/test", "").is(200).text("error"))
                .startsWith("dns: DNS gave no usable answer");
        mine.post("/v0/domains", json("domain", "gone.example")).is(200);
        mine.post("/v0/domains/gone.example/verify", "").is(200);
        HttpProbe.Answer domain = mine.get("/v0/domains/gone.example").is(200);
        assertThat(domain.text("records.0.status")).isEqualTo("MISSING");
    }

    @Test
    @Proves("P25")
    void mailThatComesIsAuthenticatedWithoutTheNamesThatAreNotFound() {
        world.dns().text("proven.example", "v=spf1 ip4:127.0.0.1 -all");
        String mail = "From: kim@proven.example\nSubject: Proof\n\nHello.\n";
        ask("kind", "dns", "seconds", 300, "answer", "servfail", "names", List.of("proven.example"));
        assertThat(world.mail("kim@proven.example", inbox, mail)).startsWith("250");
        assertThat(world.mail("kim@proven.example", theirs, mail)).startsWith("250");
        assertThat(proofs(mine, inbox)).containsExactly(true);
        assertThat(proofs(other, theirs)).containsExactly(false);
        mine.delete(FAULTS).is(200);
        assertThat(world.mail("kim@proven.example", inbox, mail.replace("Hello", "Again")))
                .startsWith("250");
        assertThat(proofs(mine, inbox)).containsExactly(false, true);
    }

    /** Of the mails about proof, the newest first, whether they are unauthenticated. */
    private static List<Boolean> proofs(HttpProbe http, String inbox) {
        HttpProbe.Answer list = http.get(
                        "/v0/inboxes/" + inbox + "/messages?subject=Proof&include_unauthenticated=true")
                .is(200);
        return IntStream.range(0, list.list("messages").size())
                .mapToObj(i ->
                        String.valueOf(list.at("messages." + i + ".labels")).contains("unauthenticated"))
                .toList();
    }

    @Test
    @Tag("long")
    @Proves("P25")
    void aBusyDatabasePutsOffCallsMailAndWorkOfItsOrganizationAlone() {
        String at = Instant.now().plus(Duration.ofHours(6)).toString();
        String to = "later-" + inbox.substring(0, 5) + "@sandbox.test";
        mine.post("/v0/inboxes/" + inbox + "/drafts", json("to", to, "text", "Later", "send_at", at))
                .is(200);
        ask("kind", "database", "seconds", 300);
        HttpProbe.Answer busy = mine.get("/v0/inboxes").is(503);
        assertThat(busy.header("Retry-After")).isEqualTo("1");
        assertThat(world.mail("kim@c.example", inbox, MAIL)).startsWith("451 4.3.0");
        assertThat(world.mail("kim@c.example", theirs, MAIL)).startsWith("250");
        assertThat(mine.post("/sandbox/messages", json("inbox_id", inbox, "from", "kim@c.example"))
                        .is(422)
                        .at("smtp.code"))
                .isEqualTo(451L);
        other.get("/v0/inboxes").is(200);
        world.walk(Duration.ofHours(7));
        assertThat(captured(to)).isEmpty();
        mine.delete(FAULTS).is(200);
        mine.get("/v0/inboxes").is(200);
        Eventually.await(() -> captured(to).size() == 1);
        assertThat(world.mail("kim@c.example", inbox, MAIL)).startsWith("250");
    }

    @Test
    void theStoreIsAwayOrItsDiskIsFull() {
        ask("kind", "disk", "seconds", 300);
        String large = json("to", "a@b.example", "text", "x".repeat(400_000));
        mine.post("/v0/inboxes/" + inbox + "/messages/send", large).is(503);
        other.post("/v0/inboxes/" + theirs + "/messages/send", large).is(200);
        send(mine, inbox, "a@b.example");
        mine.delete(FAULTS).is(200);
        String sent = mine.post("/v0/inboxes/" + inbox + "/messages/send", large)
                .is(200)
                .text("message_id");
        String link = mine.get("/v0/inboxes/" + inbox + "/messages/" + encoded(sent) + "/raw")
                .is(200)
                .text("download_url");
        String raw = link.substring(link.indexOf("/download/"));
        ask("kind", "store", "seconds", 300);
        world.anonymous().get(raw).is(503);
        mine.delete(FAULTS).is(200);
        world.anonymous().get(raw).is(200);
    }

    private void ask(String name, Object value, Object... more) {
        mine.post(FAULTS, json(name, value, more)).is(200);
    }

    private static String webhook(HttpProbe http, String url) {
        return http.post("/v0/webhooks", json("url", url, "event_types", List.of("message.received")))
                .is(200)
                .text("webhook_id");
    }

    private static void handIn(HttpProbe http, String inbox) {
        http.post("/sandbox/messages", json("inbox_id", inbox, "from", "kim@c.example", "text", "Hi"))
                .is(200);
    }

    private static List<?> captured(String to) {
        return world.anonymous().get("/sandbox/messages?to=" + to).is(200).list("messages");
    }

    private static String send(HttpProbe http, String inbox, String to) {
        return http.post("/v0/inboxes/" + inbox + "/messages/send", json("to", to, "text", "Hi"))
                .is(200)
                .text("message_id");
    }

    private static void awaitLabel(HttpProbe http, String inbox, String message, String label) {
        Eventually.await(() -> message(http, inbox, message).list("labels").contains(label));
    }

    private static HttpProbe.Answer message(HttpProbe http, String inbox, String message) {
        return http.get("/v0/inboxes/" + inbox + "/messages/" + encoded(message))
                .is(200);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
